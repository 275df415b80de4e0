# The wasm module of bindings/embind with its JavaScript glue, in module/. The glue neither starts workers nor fetches files:
# its caller passes in both (bindings/js/worker/start-engine.ts), so that the same glue serves pages and Node.
file(GLOB_RECURSE binding_sources CONFIGURE_DEPENDS bindings/embind/*.hpp bindings/embind/*.cpp)
set(glue ${CMAKE_CURRENT_SOURCE_DIR}/bindings/embind/threads)
set(extra ${CMAKE_CURRENT_SOURCE_DIR}/bindings/embind/extra)
set(text ${CMAKE_CURRENT_SOURCE_DIR}/bindings/embind/text.library.js)
set(interrupt ${CMAKE_CURRENT_SOURCE_DIR}/bindings/embind/interrupt.library.js)
if(HEED_WASM_MEMORY64)
  set(module_name memory64)
  set(most_memory 16GB)  # browsers allow no more
else()
  set(module_name ${HEED_WASM_SIMD})
  set(most_memory 4GB)
endif()

add_executable(heed_module ${binding_sources})
target_link_libraries(heed_module PRIVATE heed embind)  # in this order: runtime.cpp has parts of Embind
set_target_properties(heed_module PROPERTIES
  OUTPUT_NAME heed-${module_name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/module
  # Most of the compile time is spent on the headers of Embind and of the engine: two units take half the time.
  UNITY_BUILD ${HEED_UNITY} UNITY_BUILD_BATCH_SIZE 3 UNITY_BUILD_RELOCATABLE ON)
target_link_options(heed_module PRIVATE
  LINKER:--fatal-warnings                   # two signatures of one function, of which one traps, are no error
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker
  -sDYNAMIC_EXECUTION=0                     # no `new Function`, which a strict Content-Security-Policy forbids
  -sPTHREAD_POOL_SIZE=Module.workers.length # chosen at run time; 0 in a page that is not isolated
  -sPTHREAD_POOL_SIZE_STRICT=2              # one thread too many is an error; waiting for it would deadlock
  -sSTACK_SIZE=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB
  -sINITIAL_MEMORY=16MB -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=${most_memory} -Wno-pthreads-mem-growth
  -sMEMORY_GROWTH_LINEAR_STEP=16MB          # grow by what is needed, not by a fifth of the current size
  -sINCOMING_MODULE_JS_API=wasmMemory,instantiateWasm
  -sTEXTDECODER=2                           # decodes invalid UTF-8 as U+FFFD, in short texts too
  -sFILESYSTEM=0
  --pre-js=${glue}.pre.js --pre-js=${extra}.pre.js --js-library=${glue}.library.js --js-library=${text}
  --js-library=${interrupt}
  -sEXPORTED_FUNCTIONS=_heed_worker_died,_heed_restart_threads)
set_property(TARGET heed_module APPEND PROPERTY LINK_DEPENDS ${extra}.pre.js ${glue}.pre.js ${glue}.library.js ${text} ${interrupt})
set(module ${CMAKE_BINARY_DIR}/module/heed-${module_name})
split_module(heed_module ${module}.wasm ${module}-extra.wasm)
sort_functions(heed_module ${module}.wasm ${module}-extra.wasm)
