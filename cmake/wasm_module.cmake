# The wasm module of bindings/embind with its JavaScript glue: module/ for pages, module/node/ for Node.
# One glue for both would name Node's modules, which bundlers refuse; the .wasm is one file, which is checked.
file(GLOB_RECURSE binding_sources CONFIGURE_DEPENDS bindings/embind/*.hpp bindings/embind/*.cpp)
add_library(heed_binding OBJECT ${binding_sources})
target_link_libraries(heed_binding PUBLIC heed)

function(add_wasm_module target environment folder)
  add_executable(${target})
  target_link_libraries(${target} PRIVATE heed_binding)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME heed-${HEED_WASM_SIMD} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  target_link_options(${target} PRIVATE
    -lembind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=${environment}
    -sDYNAMIC_EXECUTION=0                     # no `new Function`: a strict Content-Security-Policy holds
    -sPTHREAD_POOL_SIZE=Module.threads        # chosen at run time: 0 where a page is not isolated
    -sPTHREAD_POOL_SIZE_STRICT=2              # one thread more is an error; to wait for it, a deadlock
    -sSTACK_SIZE=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB
    -sINITIAL_MEMORY=16MB -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -Wno-pthreads-mem-growth
    -sMEMORY_GROWTH_LINEAR_STEP=16MB          # by need, not by a fifth of what there is
    -sINCOMING_MODULE_JS_API=wasmMemory,instantiateWasm
    -sTEXTDECODER=2                           # what is not UTF-8 reads as U+FFFD, in short texts too
    -sFILESYSTEM=0
    --pre-js=${CMAKE_CURRENT_SOURCE_DIR}/bindings/embind/pthread.js -sEXPORTED_FUNCTIONS=_heed_worker_died)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bindings/embind/pthread.js)
endfunction()

add_wasm_module(heed_module_web web,worker module)
add_wasm_module(heed_module_node node module/node)
add_custom_command(TARGET heed_module_node POST_BUILD VERBATIM
  COMMAND ${CMAKE_COMMAND} -E compare_files
    $<TARGET_FILE_DIR:heed_module_web>/heed-${HEED_WASM_SIMD}.wasm
    $<TARGET_FILE_DIR:heed_module_node>/heed-${HEED_WASM_SIMD}.wasm
  COMMENT "The glue for pages and for Node share one wasm file")
add_dependencies(heed_module_node heed_module_web)
add_custom_target(heed_module DEPENDS heed_module_web heed_module_node)
