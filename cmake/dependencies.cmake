# Libraries: the machine's own where it has them, else fetched.
include(FetchContent)

FetchContent_Declare(Catch2
  GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.7.1 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS 3)
# xsimd is found without a version, because its own check refuses every newer major one.
FetchContent_Declare(xsimd
  GIT_REPOSITORY https://github.com/xtensor-stack/xsimd.git GIT_TAG 14.0.0 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS)

if(BUILD_TESTING)
  FetchContent_MakeAvailable(Catch2)
endif()
if(NOT EMSCRIPTEN)
  find_package(Threads REQUIRED)
  FetchContent_MakeAvailable(xsimd)
endif()
