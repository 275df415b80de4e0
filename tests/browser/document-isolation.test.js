// A page whose only header of isolation is Document-Isolation-Policy: threads in Chromium; in other browsers one thread, and a notice that says so.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveSite } from './site.mjs'
import { browserName, useBrowser } from './support.mjs'

const { inPage } = useBrowser()
let site
before(async () => {
  site = await serveSite({ isolated: false, headers: { 'Document-Isolation-Policy': 'isolate-and-credentialless' } })
})
after(() => site?.close())

test('a page with Document-Isolation-Policy alone has threads where the browser knows it, and says where not', async () => {
  const { isolated, threads, notices, text } = await inPage(site, async () => {
    const notices = []
    const model = await heed.loadModel(undefined, { threads: 2, onProgress: ({ notice }) => notice && notices.push(notice) })
    const { text } = await model.generate('Write a story about a fox.\n', { maxTokens: 8, seed: 1 })
    const { threads } = model.info
    await model.dispose()
    return { isolated: crossOriginIsolated, threads, notices, text }
  })
  assert.ok(text.length > 0)
  if (browserName === 'chromium') assert.deepEqual([isolated, threads, notices], [true, 2, []])
  else {
    assert.deepEqual([isolated, threads, notices.length], [false, 1, 1])
    assert.match(notices[0], /one thread.*Cross-Origin-Opener-Policy.*Document-Isolation-Policy.*heed\/isolation/)
  }
})
