// Builds the page into build/page, which can be served from any folder on any host.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import description from '../package.json' with { type: 'json' }
import { dictionaries } from './dictionaries.js'
import { firstExample } from './first-example.js'
import { firstPaint } from './first-paint.js'
import { serviceWorker } from './offline/build-worker.js'
import { pageLinks } from './page-links.js'
import { thirdParty } from './third-party.js'
import { tinyModels } from './tiny-models.js'

const workerSource = fileURLToPath(new URL('./offline/worker/service-worker.ts', import.meta.url))

export default defineConfig({
  base: './',
  resolve: {
    alias: {
      '#audio': fileURLToPath(new URL('../bindings/js/audio', import.meta.url)),
      '#elements': fileURLToPath(new URL('../bindings/elements', import.meta.url)),
    },
  },
  build: {
    outDir: '../build/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the Content-Security-Policy allows no data: URLs
    modulePreload: { polyfill: false },
    // The page's first script is a single file, even the parts that are shared with scripts that are fetched later.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', test: /web\/main\.ts$/ }] } } },
  },
  worker: { format: 'es' },
  plugins: [
    firstExample(),
    firstPaint(),
    tinyModels(),
    dictionaries(),
    pageLinks(description),
    thirdParty(),
    serviceWorker(workerSource, 'service-worker.js'), // an address that stays the same across versions
  ],
})
