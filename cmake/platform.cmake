# Settings that all translation units, ours and Catch2's, must share: language, threads, exceptions, exact floats. Included by
# CMakeLists.txt and, for Catch2, by tools/toolchain/catch2.mjs.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# The same bits on every machine: the compiler must not fuse a multiply and an add.
add_compile_options(-ffp-contract=off)

if(EMSCRIPTEN)
  # Node 20 and older browsers know only the first encoding of wasm exceptions.
  set(heed_wasm_abi -fwasm-exceptions -sWASM_LEGACY_EXCEPTIONS=1)
  if(NOT HEED_WASM_CONSTRAINTS)
    list(APPEND heed_wasm_abi -pthread)
  endif()
  if(HEED_WASM_MEMORY64)
    list(APPEND heed_wasm_abi -m64)
  endif()
  add_compile_options(${heed_wasm_abi})
  add_link_options(${heed_wasm_abi})
endif()
