// An extension may not load remote code, so everything goes into extension/.
import { cpSync, readdirSync } from 'node:fs'
import { build } from 'esbuild'

const entryPoints = ['panel.js', 'background.js']
await build({ entryPoints, bundle: true, minify: true, format: 'esm', outdir: 'extension' })

const heed = 'node_modules/heed/dist'
// Without source maps, and without what runs in Node.
const ofPages = /^heed-(?!cli)[\w-]+\.(js|wasm|gguf)$/
for (const name of readdirSync(heed).filter(name => ofPages.test(name))) {
  cpSync(`${heed}/${name}`, `extension/${name}`)
}
