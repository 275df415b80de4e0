// A page whose only header of isolation is Document-Isolation-Policy: threads in Chromium; elsewhere one thread, and a notice that says so,
// unless a setting gives threads to all pages.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { serveSite, strictPolicy } from './site.mjs'
import { browserName, hasThreads, useBrowser } from './support.mjs'

const { inPage, openPage } = useBrowser()
let site, other
before(async () => {
  const policy = `${strictPolicy}; frame-src http://127.0.0.1:*`
  site = await serveSite({
    isolated: false,
    policy,
    headers: { 'Document-Isolation-Policy': 'isolate-and-credentialless' },
    change: dist => cpSync(join(dist, 'heed-isolation.js'), join(dist, '../heed-isolation.js')),
  })
  other = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end('<!doctype html><script>(opener ?? parent).postMessage(opener ? "pop-up" : "frame", "*")</script>')
  }).listen(0)
  await once(other, 'listening')
})
after(async () => {
  await site?.close()
  other?.closeAllConnections()
  other?.close()
})

/** Writes in a page. */
const write = async () => {
  const notices = []
  const model = await heed.loadModel(undefined, { threads: 2, onProgress: ({ notice }) => notice && notices.push(notice) })
  const { text } = await model.generate('Write a story about a fox.\n', { maxTokens: 8, seed: 1 })
  const { threads } = model.info
  await model.dispose()
  return { isolated: crossOriginIsolated, threads, notices, text }
}

/** Checks that the page is isolated or not, as expected, and has threads then, or says why it has none. */
function checkThreads({ isolated, threads, notices, text }, isExpected) {
  assert.ok(text.length > 0)
  assert.equal(isolated, isExpected)
  if (hasThreads(isolated)) return assert.deepEqual([threads, notices], [2, []])
  assert.deepEqual([threads, notices.length], [1, 1])
  assert.match(
    notices[0],
    isolated
      ? /one thread: this browser has no SharedArrayBuffer/ // WebKitGTK
      : /one thread.*Cross-Origin-Opener-Policy.*Document-Isolation-Policy.*heed\/isolation/,
  )
}

test('a page with Document-Isolation-Policy alone has threads where the browser knows it, and says where not', async () => {
  checkThreads(await inPage(site, write), browserName === 'chromium')
})

test('frames and pop-ups of other sites go on working in that page, and a pop-up knows its opener', async () => {
  const address = `http://127.0.0.1:${other.address().port}/`
  const heard = await inPage(
    site,
    async address => {
      const message = () =>
        new Promise(resolve => addEventListener('message', ({ data, origin }) => resolve([data, origin]), { once: true }))
      const first = message()
      document.body.append(Object.assign(document.createElement('iframe'), { src: address }))
      const fromFrame = await first
      const second = message()
      const opened = open(address)
      if (!opened) return [fromFrame]
      const fromPopUp = await second
      opened.close()
      return [fromFrame, fromPopUp]
    },
    address,
  )
  const { origin } = new URL(address)
  const popUp = browserName === 'webkit' ? [] : [['pop-up', origin]] // its driver lets no script open one
  assert.deepEqual(heard, [['frame', origin], ...popUp])
})

/** The last one: the service worker stays. */
test('where the browser does not know it, the service worker isolates that page', async () => {
  const page = await openPage(site)
  try {
    await page.evaluate(() => {
      void import('./dist/isolation.js')
        .then(({ isolate }) => isolate())
        .then(isolated => {
          globalThis.wasIsolated = isolated
        })
    })
    // it reloads in between
    const state = () =>
      page.evaluate(() => globalThis.heed && (crossOriginIsolated || globalThis.wasIsolated)).catch(() => undefined)
    const end = Date.now() + 60_000
    while ((await state()) === undefined) {
      assert.ok(Date.now() < end, 'not reloaded')
      await setTimeout(200)
    }
    checkThreads(await page.evaluate(write), true)
  } finally {
    await page.close()
  }
})
