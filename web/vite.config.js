// Builds the page into build/page, to be served from any folder of any host.
import { defineConfig } from 'vite'
import { pageFiles } from './offline/page-files.js'
import { pageLinks } from './page-links.js'
import { tinyModels } from './tiny-models.js'
import description from '../package.json' with { type: 'json' }

const serviceWorker = 'service-worker.js'  // its address must stay the same from version to version

export default defineConfig({
  base: './',
  build: {
    outDir: '../build/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,  // the Content-Security-Policy allows no data: URLs
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', 'service-worker': 'offline/worker/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) => name === 'service-worker' ? serviceWorker : 'assets/[name]-[hash].js',
      },
    },
  },
  worker: { format: 'es' },
  plugins: [tinyModels(), pageLinks(description), pageFiles(serviceWorker)],
})
