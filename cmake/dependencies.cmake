# Libraries: the machine's own if it has them, else fetched.
include(FetchContent)

FetchContent_Declare(Catch2
  GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.7.1 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS 3)
# xsimd is looked up without a version, because its own check rejects every newer major version.
FetchContent_Declare(xsimd
  GIT_REPOSITORY https://github.com/xtensor-stack/xsimd.git GIT_TAG 14.0.0 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS)
FetchContent_Declare(CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git GIT_TAG v2.4.2 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS 2)
FetchContent_Declare(nlohmann_json
  GIT_REPOSITORY https://github.com/nlohmann/json.git GIT_TAG v3.11.3 GIT_SHALLOW ON)

# JSON, for the command-line program and the tests. The machine's headers are linked into a separate folder, because emcc must
# never search /usr/include.
find_path(nlohmann_json_folder nlohmann/json.hpp PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
if(nlohmann_json_folder)
  add_library(nlohmann_json INTERFACE)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
  file(CREATE_LINK ${nlohmann_json_folder}/nlohmann ${CMAKE_BINARY_DIR}/headers/nlohmann SYMBOLIC)
  target_include_directories(nlohmann_json SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/headers)
else()
  FetchContent_MakeAvailable(nlohmann_json)
endif()

if(BUILD_TESTING)
  FetchContent_MakeAvailable(Catch2)
endif()
if(NOT EMSCRIPTEN)
  find_package(Threads REQUIRED)
  FetchContent_MakeAvailable(xsimd CLI11)
endif()
