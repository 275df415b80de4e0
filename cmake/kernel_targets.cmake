# The instruction sets of each platform: a target is one file, src/kernels/targets/<name>.cpp, and its flags.
set(flags_simd128 -O3 -fno-lto)
set(flags_relaxed -O3 -fno-lto)
set(flags_sse41 -msse4.1)
set(flags_avx2 -mavx2)
set(flags_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mavx512vnni)
set(flags_neon_dotprod -march=armv8.2-a+dotprod)

if(EMSCRIPTEN)
  set(kernel_targets ${HEED_WASM_SIMD})  # not scalar, which pages would only download; the tests add it (tests.cmake)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(kernel_targets scalar sse41 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
  set(kernel_targets scalar neon neon_dotprod)
else()
  set(kernel_targets scalar)
endif()
if(NOT kernel_targets STREQUAL scalar)
  set(flags_scalar -O1)  # only tests run it, and -O3 takes four times as long to compile
endif()

# AddressSanitizer finds the same errors as these two checks, which take as long to compile as all others together.
if(HEED_SANITIZE STREQUAL "memory")
  set(unsanitized -fno-sanitize=null,pointer-overflow)
endif()

# Without assertions, the kernels are the same as in the release build, so ccache has compiled them already.
if(HEED_ASSERTIONS)
  set(unchecked -DNDEBUG -U_GLIBCXX_ASSERTIONS)
endif()

set(heed_kernel_target_sources)
foreach(target IN LISTS kernel_targets)
  set(source src/kernels/targets/${target}.cpp)
  list(APPEND heed_kernel_target_sources ${source})
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags_${target}};${unsanitized};${unchecked}")
endforeach()
