// Builds the page into build/page, to be served from any folder of any host.
import { defineConfig } from 'vite'
import { pageFiles } from './offline/page-files.js'

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
  plugins: [pageFiles(serviceWorker)],
})
