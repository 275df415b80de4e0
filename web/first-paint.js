// A Vite plugin that puts what the first paint waits for into the page itself: the styles of all views, in place of their link, and
// the script of the theme, in place of `<!-- theme -->`. A phone on a slow network paints a round trip earlier. The
// hashes of both are added to the page's Content-Security-Policy, which allows no other inline text.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const theme = new URL('./view/early-theme.js', import.meta.url)
const link = /<link rel="stylesheet"[^>]*href="\.\/([^"]+)">/

const hashOf = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const firstPaint = () => ({
  name: 'heed:first-paint',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const [, file] = link.exec(html)
      const styles = bundle[file].source
      delete bundle[file]
      const script = readFileSync(theme, 'utf8')
      return html
        .replace(link, () => `<style>${styles}</style>`)
        .replace('<!-- theme -->', () => `<script>${script}</script>`)
        .replace("script-src 'self'", policy => `${policy} ${hashOf(script)}`)
        .replace("style-src 'self'", policy => `${policy} ${hashOf(styles)}`)
    },
  },
})
