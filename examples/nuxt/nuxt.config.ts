// With these headers the page can use threads; without them, Heed runs on one.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  app: { head: { title: 'Heed with Nuxt', link: [{ rel: 'icon', href: 'data:,' }] } },
  routeRules: { '/**': { headers } },
})
