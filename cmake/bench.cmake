# What `npm run bench` runs beside the package, built only for it: the kernels one by one, and probes of what
# the machine can do.
add_executable(heed_kernel_bench EXCLUDE_FROM_ALL tools/bench/kernels/kernels.cpp)
target_link_libraries(heed_kernel_bench PRIVATE heed nlohmann_json)

if(EMSCRIPTEN)
  set_target_properties(heed_kernel_bench PROPERTIES SUFFIX .cjs)
  target_link_options(heed_kernel_bench PRIVATE
    -sENVIRONMENT=node -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -Wno-pthreads-mem-growth)
endif()

if(EMSCRIPTEN AND HEED_WASM_SIMD STREQUAL relaxed)
  add_executable(heed_probes EXCLUDE_FROM_ALL tools/bench/probes/probes.cpp)
  target_compile_options(heed_probes PRIVATE -O3 -msimd128 -mrelaxed-simd)
  set_target_properties(heed_probes PROPERTIES
    OUTPUT_NAME probes RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/probes)
  target_link_options(heed_probes PRIVATE
    -lembind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker -sFILESYSTEM=0
    -sINITIAL_MEMORY=512MB -sPTHREAD_POOL_SIZE=Module.threads -sPTHREAD_POOL_SIZE_STRICT=2)
endif()
