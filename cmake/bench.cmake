# Programs that `npm run bench` runs besides the package, built only for it: benchmarks of the kernels and the tokenizers, and
# probes of the machine's limits.
function(add_bench name)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARGN})
  target_link_libraries(${name} PRIVATE heed nlohmann_json)
  if(EMSCRIPTEN)
    set_target_properties(${name} PROPERTIES SUFFIX .cjs)
    target_link_options(${name} PRIVATE
      -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME
      -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -Wno-pthreads-mem-growth)
  endif()
endfunction()

add_bench(heed_kernel_bench tools/bench/kernels/kernels.cpp)
add_bench(heed_tokenizer_bench tools/bench/tokenizers/tokenizers.cpp tools/bench/tokenizers/language.cpp)
add_bench(heed_constraint_inputs tools/bench/constraints/inputs.cpp)
add_bench(heed_thread_bench tools/bench/threads/threads.cpp)
if(EMSCRIPTEN)
  target_link_options(heed_thread_bench PRIVATE -sPROXY_TO_PTHREAD)  # so that main may wait for threads that it starts
endif()

if(EMSCRIPTEN AND HEED_WASM_SIMD STREQUAL relaxed AND NOT HEED_WASM_MEMORY64)
  add_executable(heed_probes EXCLUDE_FROM_ALL tools/bench/probes/probes.cpp)
  target_compile_options(heed_probes PRIVATE -O3 -msimd128 -mrelaxed-simd)
  set_target_properties(heed_probes PROPERTIES
    OUTPUT_NAME probes RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/probes)
  target_link_options(heed_probes PRIVATE
    -lembind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker -sFILESYSTEM=0
    -sINITIAL_MEMORY=512MB -sPTHREAD_POOL_SIZE=Module.threads -sPTHREAD_POOL_SIZE_STRICT=2)
endif()
