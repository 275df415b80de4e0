# The Catch2 tests, as one program; as wasm it runs under Node, with access to the real file system.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS
  tests/unit/*.hpp tests/unit/*.cpp tests/golden/*.hpp tests/golden/*.cpp tests/support/*.hpp tests/support/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "/tests/golden/make/")  # a separate program
if(HEED_SANITIZE STREQUAL "threads")  # ThreadSanitizer is slow, and most tests run one thread
  list(FILTER test_sources INCLUDE REGEX
    "\\.hpp$|/tests/support/|/(thread_pool|scheduler|interleaving|sequence|speculation|registry)_test\\.cpp$|/models/[a-z]*_values\\.cpp$")
endif()
if(HEED_WASM_SIMD STREQUAL relaxed)  # differs from simd128 in kernels and address size only: test the kernels and whole models
  list(FILTER test_sources INCLUDE REGEX "\\.hpp$|/tests/support/|/tests/golden/|/unit/kernels/|/(load|hostile)_test\\.cpp$")
endif()
if(EMSCRIPTEN OR HEED_SANITIZE)  # the emulation is slow to compile, and its results do not depend on the platform
  list(FILTER test_sources EXCLUDE REGEX "relaxed_dot_test\\.cpp$|/emulated_relaxed\\.cpp$")
else()
  list(FILTER test_sources EXCLUDE REGEX "/no_emulated_relaxed\\.cpp$")
endif()
# Tests that compute the results of kernels themselves are slightly optimized in native builds; the others are not, which halves
# their compile time.
set(kernel_test_sources ${test_sources})
list(FILTER kernel_test_sources INCLUDE REGEX "\\.hpp$|/unit/kernels/")
list(FILTER test_sources EXCLUDE REGEX "/unit/kernels/.*\\.cpp$")
add_library(heed_kernel_tests OBJECT ${kernel_test_sources})
add_executable(heed_tests ${test_sources})
foreach(target heed_kernel_tests heed_tests)
  target_include_directories(${target} PRIVATE tests)
  target_link_libraries(${target} PRIVATE heed nlohmann_json Catch2::Catch2WithMain)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX  # in case there are no tests of kernels
    UNITY_BUILD ${HEED_UNITY} UNITY_BUILD_BATCH_SIZE 32 UNITY_BUILD_RELOCATABLE ON)  # like the library
endforeach()
target_link_libraries(heed_tests PRIVATE heed_kernel_tests)
if(NOT EMSCRIPTEN)
  target_compile_options(heed_kernel_tests PRIVATE -O1)
  target_compile_options(heed_tests PRIVATE ${hardly_optimized})
  link_engine_first(heed_tests)
endif()
# All kernels of the relaxed module in one unit, which only fuzz tests run.
set_source_files_properties(tests/unit/kernels/emulated_relaxed.cpp PROPERTIES COMPILE_OPTIONS -O1)
set_source_files_properties(tests/support/source_folder.cpp PROPERTIES
  COMPILE_DEFINITIONS HEED_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")

if(EMSCRIPTEN)
  target_sources(heed_tests PRIVATE src/kernels/targets/scalar.cpp)  # the reference for the module's kernels
  set_target_properties(heed_tests PROPERTIES SUFFIX .cjs)
  # main() runs in a worker, because starting a thread needs the main thread's event loop.
  target_link_options(heed_tests PRIVATE
    -sENVIRONMENT=node -sNODERAWFS -sPROXY_TO_PTHREAD -sEXIT_RUNTIME
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -Wno-pthreads-mem-growth -sSTACK_SIZE=1MB)
endif()

add_test(NAME heed_tests COMMAND heed_tests)
