// A static site with the built package and an empty page that imports it, without a bundler.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'

const files = {
  'index.html':
    '<!doctype html><meta charset="utf-8"><title>heed</title><link rel="icon" href="data:,">' +
    '<script type="module" src="page.js"></script>',
  'page.js': `
    import * as heed from './dist/index.js'
    globalThis.heed = heed
    globalThis.describe = promise => promise.then(() => 'no error', error => (
      { heed: error instanceof heed.HeedError, code: error.code, message: error.message }))`,
  'inner.js': `
    import { loadModel } from './dist/index.js'
    self.onmessage = async ({ data }) => {
      const model = await loadModel(data.source, data.load)
      const { text } = await model.generate(data.prompt, data.options)
      self.postMessage({ text, threads: model.info.threads })
    }`,
}

/** The strictest policy that the package must work under. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' http://localhost:*",
  'img-src data:',
].join('; ')

/**
 * Serves the folder; `change(dist)` may alter the copy of the package first, and `handle` answers requests as for `serve`. `headers` are sent
 * with every file. Resolves to {url, close()}.
 */
export async function serveSite({ isolated = true, policy = strictPolicy, headers = {}, change = () => {}, handle } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-site-'))
  cpSync(inRoot('dist'), join(folder, 'dist'), { recursive: true })
  change(join(folder, 'dist'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const server = await serve(folder, { isolated, handle, headers: { 'Content-Security-Policy': policy, ...headers } })
  return {
    url: server.url,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
