import { cpSync, readdirSync } from 'node:fs'
import { build } from 'esbuild'

const entryPoints = ['main.js']
await build({ entryPoints, bundle: true, minify: true, format: 'esm', outdir: 'www' })

// esbuild does not resolve `new URL(..., import.meta.url)`, so Heed's own files go next to
// the bundle.
const heed = 'node_modules/heed/dist'
for (const name of readdirSync(heed).filter(name => name.startsWith('heed-'))) {
  cpSync(`${heed}/${name}`, `www/${name}`)
}
