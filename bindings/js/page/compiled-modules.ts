// Caches compiled WebAssembly modules for later models, which then start without compiling, with code that is already optimized.
import type { Compiled, WasmFile } from '../wire/protocol.js'

/** Compiled modules by address: at most one for each file of the package. */
const kept = new Map<string, WasmFile>()

export const withCompiled = <File extends WasmFile>(file: File): File => ({ ...file, ...kept.get(file.wasm) })

export function keepCompiled({ wasm, compiled }: Compiled): void {
  kept.set(wasm, { wasm, compiled })
}
