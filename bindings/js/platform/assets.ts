// The files that the package fetches while it runs, and where they lie.
import type { ModuleFiles, ModuleName } from '../protocol.js'
import type { AssetName, Assets } from '../types.js'

export const assetNames: readonly AssetName[] = [
  'heed-worker.js', 'heed-store.js', 'heed-relaxed.js', 'heed-relaxed.wasm', 'heed-simd128.js', 'heed-simd128.wasm',
  'heed-memory64.js', 'heed-memory64.wasm', 'heed-stories.gguf',
]

/** A module that an engine is to run, as `locate` finds it. */
export const moduleFiles = (locate: Locate, name: ModuleName): ModuleFiles =>
  ({ glue: locate(`heed-${name}.js`), wasm: locate(`heed-${name}.wasm`), memory64: name === 'memory64' })

/** The address of a file. */
export type Locate = (name: AssetName | 'heed-worker.node.js') => string

/**
 * Where the option `assets` says that files lie, or else where `usual` does. `absolute` makes an absolute address of one
 * that a user gave.
 */
export function locateIn(assets: Assets | undefined, usual: Locate, absolute: (address: string | URL) => URL): Locate {
  if (assets === undefined) return usual
  if (typeof assets === 'string' || assets instanceof URL) {
    const folder = absolute(assets)
    if (!folder.pathname.endsWith('/')) folder.pathname += '/'
    return name => new URL(name, folder).href
  }
  return name => {
    const address = name in assets ? assets[name as AssetName] : undefined
    return address === undefined ? usual(name) : absolute(address).href
  }
}
