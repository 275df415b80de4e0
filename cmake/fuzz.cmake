# libFuzzer programs, in builds with AddressSanitizer: each tests/fuzz/NAME_fuzz.cpp becomes the program heed_NAME_fuzz, and
# heed_fuzz_seeds writes the seed corpora. `npm test -- fuzz` runs them for a limited time; to run one without a limit:
#   build/native-debug/heed_model_fuzz FOLDER/model
# With ThreadSanitizer, only the engine's: nothing else has threads. It is not guided there, since the tests of that build would pay for it.
if(NOT HEED_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  return()
endif()
if(HEED_SANITIZE STREQUAL "memory")
  # Coverage instrumentation guides the fuzzer. Not by operands of comparisons: the seeds have all keywords, and half of the time would go there.
  target_compile_options(heed PRIVATE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -ffunction-sections -fdata-sections)
  # Nor by what kernels do, which hardly depends on the file; and all counters are read after each run, so a program has only those of
  # the functions that it can reach.
  set_property(SOURCE ${heed_kernel_target_sources} APPEND PROPERTY COMPILE_OPTIONS
    -fno-sanitize-coverage=inline-8bit-counters,pc-table,indirect-calls,stack-depth)
  file(GLOB fuzzers CONFIGURE_DEPENDS tests/fuzz/*_fuzz.cpp)
else()
  set(fuzzers tests/fuzz/engine_fuzz.cpp)
endif()

foreach(source IN LISTS fuzzers)
  get_filename_component(name ${source} NAME_WE)
  add_executable(heed_${name} EXCLUDE_FROM_ALL ${source} tests/fuzz/sanitizer_options.cpp)
  target_include_directories(heed_${name} PRIVATE tests)
  target_link_libraries(heed_${name} PRIVATE heed)
  target_link_options(heed_${name} PRIVATE -fsanitize=fuzzer -Wl,--gc-sections,-z,start-stop-gc)
  list(APPEND fuzz_programs heed_${name})
endforeach()
add_executable(heed_fuzz_seeds EXCLUDE_FROM_ALL tests/fuzz/seeds.cpp)
target_include_directories(heed_fuzz_seeds PRIVATE tests)
target_link_libraries(heed_fuzz_seeds PRIVATE heed)
add_custom_target(heed_fuzz DEPENDS ${fuzz_programs} heed_fuzz_seeds)
