# For programs around the engine whose own code is hardly optimized, because little time is spent there, which halves their compile
# time. If a program and the engine both contain an inline function or a template, the linker keeps the first that it meets, which
# has to be the engine's. In the library, the scalar kernels come first, so that no other instruction set gets into shared code.
set(hardly_optimized -O0)
if(HEED_SANITIZE)  # which adds many instructions
  set(hardly_optimized -O1)
endif()

function(link_engine_first target)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT HEED_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:--whole-archive $<TARGET_FILE:heed> LINKER:--no-whole-archive)
  endif()
endfunction()
