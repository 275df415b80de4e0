# Warnings, sanitizers and SIMD flags of our own code, as an interface library.
add_library(heed_compile_options INTERFACE)

target_compile_options(heed_compile_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough -Wfloat-conversion
  $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wshorten-64-to-32>
  $<$<BOOL:${HEED_WARNINGS_AS_ERRORS}>:-Werror>)

if(EMSCRIPTEN)
  # Optimized for size, because pages download it; the kernels, where the time is spent, are compiled for speed.
  target_compile_options(heed_compile_options INTERFACE
    -Oz -msimd128 $<$<STREQUAL:${HEED_WASM_SIMD},relaxed>:-mrelaxed-simd>)

  if(NOT HEED_WASM_CONSTRAINTS)  # which has no kernels
    # Binaryen's simplify-locals moves the dot products of a tile past its loads, into chains that need more registers than V8
    # has: prefill would run at half the speed.
    # And memory-packing splits data at its zeros, but the code that places the pieces is larger than compressed zeros.
    set(skipped --skip-pass=memory-packing)
    foreach(variant "" -nostructure -notee -notee-nostructure -nonesting)
      list(APPEND skipped --skip-pass=simplify-locals${variant})
    endforeach()
    list(JOIN skipped "," skipped_passes)
    target_link_options(heed_compile_options INTERFACE -sBINARYEN_EXTRA_PASSES=${skipped_passes}$<TARGET_PROPERTY:HEED_SKIPPED_PASSES>)
  endif()
else()
  target_link_libraries(heed_compile_options INTERFACE Threads::Threads)
endif()

set(sanitizers_of_memory -fsanitize=address,undefined -fno-sanitize-recover=all)
set(sanitizers_of_threads -fsanitize=thread)
if(HEED_SANITIZE)
  set(sanitizers ${sanitizers_of_${HEED_SANITIZE}} -fno-omit-frame-pointer)
  # Reports need only line tables; variables and types would take an eighth of the build time.
  target_compile_options(heed_compile_options INTERFACE ${sanitizers} -O2 -gline-tables-only)
  target_compile_definitions(heed_compile_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(heed_compile_options INTERFACE ${sanitizers})
endif()

if(HEED_ASSERTIONS)
  target_compile_options(heed_compile_options INTERFACE -UNDEBUG -D_GLIBCXX_ASSERTIONS)
endif()

if(HEED_COVERAGE)  # lightly optimized: without optimization the kernels' tests take too long
  set(coverage -fprofile-instr-generate -fcoverage-mapping)
  target_compile_options(heed_compile_options INTERFACE ${coverage} -O1)
  target_link_options(heed_compile_options INTERFACE ${coverage})
endif()
