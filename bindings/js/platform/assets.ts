// Locates the files that the package fetches at run time.
import type { AssetName, Assets, Simd } from '../types/index.js'
import type { WebUrl } from '../types/web.js'
import type { ModuleFiles } from '../wire/protocol.js'

export const assetNames: readonly AssetName[] = [
  'heed-worker.js',
  'heed-store.js',
  'heed-template.js',
  'heed-relaxed.js',
  'heed-relaxed.wasm',
  'heed-relaxed-extra.wasm',
  'heed-simd128.js',
  'heed-simd128.wasm',
  'heed-simd128-extra.wasm',
  'heed-memory64.js',
  'heed-memory64.wasm',
  'heed-memory64-extra.wasm',
  'heed-constraints.js',
  'heed-constraints.wasm',
  'heed-lab.js',
  'heed-kept.js',
  'heed-microphone.js',
  'heed-stories.gguf',
]

/** The WebAssembly modules: two with 32-bit memory, and one with relaxed SIMD and 64-bit memory. */
export type ModuleName = Simd | 'memory64'

/** The files of a WebAssembly module. `locateLater` does not throw. */
export const moduleFiles = (locate: Locate, name: ModuleName, locateLater: Locate = locate): ModuleFiles => ({
  glue: locate(`heed-${name}.js`),
  wasm: locate(`heed-${name}.wasm`),
  extra: { wasm: locateLater(`heed-${name}-extra.wasm`) },
  memory64: name === 'memory64',
})

/** The address of a file. */
export type Locate = (name: AssetName | 'heed-worker.node.js' | 'heed-template.node.js' | 'heed-images.node.js') => string

/** Locates files by the option `assets`, or by `usual` if the option does not name them. `absolute` resolves a user's addresses. */
export function locateIn(assets: Assets | undefined, usual: Locate, absolute: (address: string | WebUrl) => WebUrl): Locate {
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
