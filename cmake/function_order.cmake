# The functions of a finished module in another order: each follows those that it resembles, where gzip finds what they have in common
# (function_order.mjs), and a page downloads 7 % less. Emscripten's order is by use. The code of the functions stays as it is, but for
# their numbers. They have names until then, because an order is one of names.
find_program(HEED_NODE NAMES node nodejs REQUIRED)

function(sort_functions target wasm)
  set(features --mvp-features)  # those that Emscripten names when it writes the module
  foreach(feature threads bulk-memory bulk-memory-opt call-indirect-overlong exception-handling multivalue mutable-globals
                  nontrapping-float-to-int reference-types relaxed-simd sign-ext simd)
    list(APPEND features --enable-${feature})
  endforeach()
  if(HEED_WASM_MEMORY64)
    list(APPEND features --enable-memory64)
  endif()
  target_link_options(${target} PRIVATE --profiling-funcs)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${HEED_NODE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/function_order.mjs ${wasm}
    COMMAND wasm-opt ${features} --optimize-level=3 --shrink-level=0 --optimize-stack-ir  # as at the end of a link
            --reorder-functions-by-name --strip-debug ${wasm} -o ${wasm})
endfunction()
