// Finds what a call needs to start an engine: the WebAssembly modules, and a number of threads.
import type { ModuleName } from '../platform/assets.js'
import type { Platform } from '../platform/platform.js'
import type { ModuleChoice } from '../platform/simd.js'
import type { Assets } from '../types/index.js'
import type { ModuleFiles } from '../wire/protocol.js'
import { withCompiled } from './compiled-modules.js'

export const defaultThreads = ({ cores }: Platform) => Math.min(cores, 8)

/** Locates the modules. The larger one is optional: if it cannot be located, only models that need it fail. */
export function locateModules(
  { names: [first, larger], lack }: ModuleChoice,
  platform: Platform,
  assets?: Assets,
): { modules: ModuleFiles[]; lack?: string } {
  const filesOf = (name: ModuleName) => {
    const files = withCompiled(platform.engineFiles(name, assets))
    return { ...files, extra: withCompiled(files.extra) }
  }
  const modules = [filesOf(first!)]
  try {
    if (larger) modules.push(filesOf(larger))
    return { modules, lack }
  } catch (error) {
    return { modules, lack: (error as Error).message }
  }
}
