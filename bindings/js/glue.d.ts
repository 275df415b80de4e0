// The glue that Emscripten writes (cmake/wasm_module.cmake), one for each WebAssembly module.
declare module '#glue/*' {
  const create: import('./engine.js').CreateModule
  export default create
}
