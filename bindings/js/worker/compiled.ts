// Provides a worker's modules: compiled here, unless the page has one that an earlier model has compiled.
import type { WasmFile } from '../wire/protocol.js'
import type { Port } from './port.js'

/** Returns the compiled module. Throws as `compile` does. */
export async function compiledOf(
  { wasm, compiled }: WasmFile,
  { compile, post }: Pick<Port, 'compile' | 'post'>,
): Promise<WebAssembly.Module> {
  if (compiled) return compiled as WebAssembly.Module
  const fresh = await compile(wasm)
  post({ type: 'compiled', wasm, compiled: fresh })
  return fresh
}
