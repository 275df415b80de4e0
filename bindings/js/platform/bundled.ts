// Locates the files of the package in a page. Each address is a literal that bundlers recognize: they copy the file and replace the
// address with that of the copy.
import type { AssetName } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import type { Locate } from './assets.js'

const literals: Record<AssetName, () => URL> = {
  'heed-worker.js': () => new URL('./heed-worker.js', import.meta.url),
  'heed-store.js': () => new URL('./heed-store.js', import.meta.url),
  'heed-template.js': () => new URL('./heed-template.js', import.meta.url),
  'heed-relaxed.js': () => new URL('./heed-relaxed.js', import.meta.url),
  'heed-relaxed.wasm': () => new URL('./heed-relaxed.wasm', import.meta.url),
  'heed-relaxed-extra.wasm': () => new URL('./heed-relaxed-extra.wasm', import.meta.url),
  'heed-simd128.js': () => new URL('./heed-simd128.js', import.meta.url),
  'heed-simd128.wasm': () => new URL('./heed-simd128.wasm', import.meta.url),
  'heed-simd128-extra.wasm': () => new URL('./heed-simd128-extra.wasm', import.meta.url),
  'heed-memory64.js': () => new URL('./heed-memory64.js', import.meta.url),
  'heed-memory64.wasm': () => new URL('./heed-memory64.wasm', import.meta.url),
  'heed-memory64-extra.wasm': () => new URL('./heed-memory64-extra.wasm', import.meta.url),
  'heed-constraints.js': () => new URL('./heed-constraints.js', import.meta.url),
  'heed-constraints.wasm': () => new URL('./heed-constraints.wasm', import.meta.url),
  'heed-lab.js': () => new URL('./heed-lab.js', import.meta.url),
  'heed-kept.js': () => new URL('./heed-kept.js', import.meta.url),
  'heed-microphone.js': () => new URL('./heed-microphone.js', import.meta.url),
  'heed-stories.gguf': () => new URL('./heed-stories.gguf', import.meta.url),
}

/** The URL of a classic script is known only while it starts. */
const classicScript = (globalThis.document?.currentScript as HTMLScriptElement | null | undefined)?.src

/**
 * Vite's development server, before version 8, serves copies of packages without the files that they refer to; the packages
 * themselves are served beside the copies.
 */
const viteCopy = /^(.*?\/node_modules\/)\.(?:vite|cache)\/(?:.*\/)?deps[^/]*\/[^/]*$/

export const bundled: Locate = name => {
  try {
    const { href } = literals[name as AssetName]()
    const [, packages] = viteCopy.exec(href) ?? []
    return packages ? `${packages}heed/dist/${name}` : href
  } catch (error) {
    // a bundler made a classic script, without `import.meta`
    if (classicScript) return new URL(name, classicScript).href
    throw new HeedError('unsupported', `${name} cannot be located in this bundle: set the option \`assets\` to its folder`, {
      cause: error,
    })
  }
}
