// The modules that models have compiled, kept for those that follow: these start without compiling, and with code that runs fast at once.
import type { CallEvent, CompiledModule, ModuleFiles } from '../wire/protocol.js'

/** By their addresses: at most one for each file of the package. */
const kept = new Map<string, CompiledModule>()

export const withCompiled = (files: ModuleFiles): ModuleFiles => ({ ...files, compiled: kept.get(files.wasm) })

export function keepCompiled(event: CallEvent): void {
  if (event.type === 'compiled') kept.set(event.wasm, event.compiled)
}
