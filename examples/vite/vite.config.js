// With these headers the page may have threads; without them Heed computes on one.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default {
  server: { headers },
  preview: { headers },
}
