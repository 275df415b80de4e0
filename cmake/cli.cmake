# The native command-line program, `heed`.
include(CheckCXXSourceCompiles)

if(CMAKE_CROSSCOMPILING)  # for an emulator, which runs kernels only
  return()
endif()
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS tools/cli/*.hpp tools/cli/*.cpp)
if(NOT cli_sources)
  return()
endif()
add_executable(heed_cli ${cli_sources})
set_target_properties(heed_cli PROPERTIES OUTPUT_NAME heed)
target_include_directories(heed_cli PRIVATE tools)
target_compile_definitions(heed_cli PRIVATE HEED_VERSION="${PROJECT_VERSION}")
target_link_libraries(heed_cli PRIVATE heed CLI11::CLI11 nlohmann_json)
# Most of the compile time is spent on the libraries' headers and their templates, the same in each file: one unit for all.
set_target_properties(heed_cli PROPERTIES UNITY_BUILD ${HEED_UNITY} UNITY_BUILD_BATCH_SIZE 0 UNITY_BUILD_RELOCATABLE ON)
if(HEED_ASSERTIONS)  # for tests
  target_compile_options(heed_cli PRIVATE ${hardly_optimized})
  link_engine_first(heed_cli)
else()
  target_compile_options(heed_cli PRIVATE -O1)  # only the program's own code, where little time is spent
endif()

# Static, so that a program built with an isolated toolchain also runs outside it.
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("int main() { delete new int; }" HEED_LINKS_STATICALLY)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
block()
  if(HEED_LINKS_STATICALLY AND NOT HEED_SANITIZE)
    target_link_options(heed_cli PRIVATE -static)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  endif()
  find_package(PNG REQUIRED)  # Debian: libpng-dev
endblock()
target_link_libraries(heed_cli PRIVATE PNG::PNG)
