# Programs around the engine whose own code is hardly optimized, as it is never what takes time: so they compile in half of the time. Of
# an inline function or a template that a program and the engine both have, the linker keeps the first that it meets, which has to be the
# engine's. Of the kernels' files, the scalar one comes first in the library: no other instruction set gets into what all have.
set(hardly_optimized -O0)
if(HEED_SANITIZE)  # whose instructions are many
  set(hardly_optimized -O1)
endif()

function(link_engine_first target)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT HEED_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:--whole-archive $<TARGET_FILE:heed> LINKER:--no-whole-archive)
  endif()
endfunction()
