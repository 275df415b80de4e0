# The functions of a finished module, sorted by name: the instances of a template then lie side by side, where gzip finds what they have in
# common, and a page downloads 3 % less. Emscripten's order is by use. The code of the functions stays as it is, but for their numbers.
# Names are kept until then, and dropped.
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
    COMMAND wasm-opt ${features} --optimize-level=3 --shrink-level=0 --optimize-stack-ir  # as at the end of a link
            --reorder-functions-by-name --strip-debug ${wasm} -o ${wasm})
endfunction()
