// Vite's configuration: addresses relative to the page, so that it works in any folder of any host.
import { defineConfig } from 'vite'
import { offline } from './offline/plugin.ts'

// With these headers a page may use threads. A host that cannot send them gets them from the service worker (src/prepare.ts).
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default defineConfig({
  base: './',
  build: { target: 'es2022' },
  server: { headers },
  preview: { headers },
  plugins: [offline()],
})
