// Vite's configuration. Addresses are relative to the page, so that it works in any folder of any host.
import { defineConfig } from 'vite'
import { offline } from './offline/plugin.ts'

// With these headers, the page can use threads. On hosts that cannot send them, the service worker adds them (src/prepare.ts).
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
