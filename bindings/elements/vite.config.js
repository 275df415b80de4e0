// Builds the elements into one file, dist/elements.js, with their styles included. It uses the package beside it to load models.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { plainAddresses } from '../../tools/building/scripts.mjs'

const thePackage = {
  name: 'the-package',
  enforce: 'pre',
  resolveId: source => (source === '#heed' ? { id: './index.js', external: true } : undefined),
}

export default defineConfig({
  publicDir: false,
  plugins: [thePackage, plainAddresses],
  resolve: { alias: { '#facades': fileURLToPath(new URL('../js/facades', import.meta.url)) } },
  build: {
    outDir: '../../dist',
    emptyOutDir: false,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // the first versions with light-dark()
    sourcemap: true,
    rolldownOptions: { checks: { pluginTimings: false }, output: { minify: true } },
    lib: { entry: 'index.ts', formats: ['es'], fileName: () => 'elements.js' },
  },
})
