// With these headers the page can use threads; without them, Heed runs on one.
const headers = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
]

export default {
  headers: () => [{ source: '/:path*', headers }],
}
