# Compares each kernel with the scalar one, without Catch2 (tests/arm/main.cpp). Links only the necessary part of the library: all
# of it would take minutes to compile.
file(GLOB kernel_check_sources CONFIGURE_DEPENDS src/tensor/*.cpp)
add_executable(heed_kernel_check EXCLUDE_FROM_ALL
  tests/arm/main.cpp tests/unit/kernels/kernel_runs.cpp src/kernels/dispatch.cpp src/base/zeroed_memory.cpp
  ${kernel_check_sources} ${heed_kernel_target_sources})
target_include_directories(heed_kernel_check PRIVATE src tests)
target_link_libraries(heed_kernel_check PRIVATE xsimd Threads::Threads)
