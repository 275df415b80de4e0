import { readdirSync, readFileSync } from 'node:fs'
import { nodeResolve } from '@rollup/plugin-node-resolve'

/** Rollup does not resolve `new URL(..., import.meta.url)`, so Heed's own files go next to the bundle. */
const heedFiles = {
  name: 'heed-files',
  generateBundle() {
    const heed = 'node_modules/heed/dist'
    for (const fileName of readdirSync(heed).filter(name => name.startsWith('heed-'))) {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(`${heed}/${fileName}`) })
    }
  },
}

export default {
  input: 'main.js',
  output: { dir: 'www', format: 'es' },
  plugins: [nodeResolve({ browser: true }), heedFiles],
}
