# The instruction sets of each platform. A target is one file, src/kernels/targets/<name>.cpp, with its own flags.
set(flags_sse41 -msse4.1)
set(flags_avx2 -mavx2)

if(EMSCRIPTEN)
  set(kernel_targets scalar ${HEED_WASM_SIMD})
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(kernel_targets scalar sse41 avx2)
else()
  set(kernel_targets scalar)
endif()

set(heed_kernel_target_sources)
foreach(target IN LISTS kernel_targets)
  set(source src/kernels/targets/${target}.cpp)
  list(APPEND heed_kernel_target_sources ${source})
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags_${target}}")
endforeach()
