import { readdirSync, readFileSync } from 'node:fs'
import { nodeResolve } from '@rollup/plugin-node-resolve'

/** Rollup leaves `new URL(..., import.meta.url)` alone: Heed's files go next to the bundle. */
const heedFiles = {
  name: 'heed-files',
  generateBundle() {
    const heed = 'node_modules/heed/dist'
    for (const fileName of readdirSync(heed).filter(name => name.startsWith('heed-'))) {
      const source = readFileSync(`${heed}/${fileName}`)
      this.emitFile({ type: 'asset', fileName, source })
    }
  },
}

export default {
  input: 'main.js',
  output: { dir: 'www', format: 'es' },
  plugins: [nodeResolve({ browser: true }), heedFiles],
}
