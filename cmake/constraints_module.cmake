# The wasm module of bindings/constraints, in module/: src/grammar without the engine. It has no threads, no glue and no Embind: its
# caller (bindings/js/worker/constraints) uses the exports themselves.
file(GLOB_RECURSE grammar_sources CONFIGURE_DEPENDS src/grammar/*.hpp src/grammar/*.cpp)
# Loops over a vocabulary, for each token.
file(GLOB speed_sources CONFIGURE_DEPENDS src/grammar/masks/*.cpp)
set_source_files_properties(${speed_sources} src/grammar/interner.cpp PROPERTIES COMPILE_OPTIONS -O2)
add_executable(heed_module ${grammar_sources} src/base/utf8.cpp bindings/constraints/module.cpp)
target_include_directories(heed_module PRIVATE src)
target_link_libraries(heed_module PRIVATE heed_compile_options)
target_compile_options(heed_module PRIVATE -flto)
set_target_properties(heed_module PROPERTIES
  OUTPUT_NAME heed-constraints SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/module
  UNITY_BUILD ${HEED_UNITY} UNITY_BUILD_BATCH_SIZE 12 UNITY_BUILD_RELOCATABLE ON)
target_link_options(heed_module PRIVATE
  -flto --no-entry -sSTANDALONE_WASM -sFILESYSTEM=0 -sSTACK_SIZE=1MB
  -sINITIAL_MEMORY=4MB -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=1GB)
sort_functions(heed_module ${CMAKE_BINARY_DIR}/module/heed-constraints.wasm)
