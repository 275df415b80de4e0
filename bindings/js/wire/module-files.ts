// The files of WebAssembly modules, in messages.

/** A WebAssembly.Module, untyped so that the package's types do not need a browser's. */
export type CompiledModule = object

/** The address of a WebAssembly file, and the compiled module if an earlier model has compiled it. */
export interface WasmFile {
  wasm: string
  compiled?: CompiledModule
}

/** The files of an engine's module. */
export interface ModuleFiles extends WasmFile {
  /** An address. */
  glue: string
  /** The extra module, which few models and calls need. */
  extra: WasmFile
  memory64: boolean
}
