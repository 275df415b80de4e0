# Reorders the functions of a finished module (function_order.mjs): each one follows the functions that it resembles, which gzip
# compresses better, and pages download 7 % less. Emscripten orders them by use. Only the numbers of the functions change. They keep
# their names until then, because wasm-opt takes the order as a list of names.
find_program(HEED_NODE NAMES node nodejs REQUIRED)

# The options of Binaryen's programs, as Emscripten passes them when it writes a module.
set(binaryen_features --mvp-features)
foreach(feature threads bulk-memory bulk-memory-opt call-indirect-overlong exception-handling multivalue mutable-globals
                nontrapping-float-to-int reference-types relaxed-simd sign-ext simd)
  list(APPEND binaryen_features --enable-${feature})
endforeach()
if(HEED_WASM_MEMORY64)
  list(APPEND binaryen_features --enable-memory64)
endif()

# Arguments: the module, and what else the link of the target has made (split_module).
function(sort_functions target)
  target_link_options(${target} PRIVATE --profiling-funcs)
  foreach(wasm IN LISTS ARGN)
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM
      COMMAND ${HEED_NODE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/function_order.mjs ${wasm}
      COMMAND wasm-opt ${binaryen_features} --optimize-level=3 --shrink-level=0 --optimize-stack-ir  # as at the end of a link
              --reorder-functions-by-name --strip-debug ${wasm} -o ${wasm})
  endforeach()
endfunction()
