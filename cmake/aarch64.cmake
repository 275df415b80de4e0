# CMake toolchain file: Linux on AArch64, by Clang with GNU's cross linker and libraries (Debian's g++-aarch64-linux-gnu).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=/usr/bin/aarch64-linux-gnu-ld)
