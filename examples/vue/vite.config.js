import vue from '@vitejs/plugin-vue'

// With these headers the page can use threads; without them, Heed runs on one.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default {
  plugins: [vue()],
  server: { headers },
  preview: { headers },
}
