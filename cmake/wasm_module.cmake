# The wasm modules of bindings/embind.
