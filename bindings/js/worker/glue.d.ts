// The glue that Emscripten generates (cmake/wasm_module.cmake), one per WebAssembly module.
declare module '#glue/*' {
  const create: import('./engine.js').CreateModule
  export default create
}
