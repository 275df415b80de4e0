import adapter from '@sveltejs/adapter-static'
import { sveltekit } from '@sveltejs/kit/vite'

// With these headers the page may have threads; without them Heed computes on one.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default {
  plugins: [sveltekit({ adapter: adapter() })],
  server: { headers },
  preview: { headers },
}
