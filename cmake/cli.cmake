# The native command-line program, `heed`.
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS tools/cli/*.hpp tools/cli/*.cpp)
if(cli_sources)
  add_executable(heed_cli ${cli_sources})
  set_target_properties(heed_cli PROPERTIES OUTPUT_NAME heed)
  target_include_directories(heed_cli PRIVATE tools)
  target_link_libraries(heed_cli PRIVATE heed)
endif()
