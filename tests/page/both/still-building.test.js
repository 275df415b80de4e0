// The page that `npm start` serves before its engine is compiled: it says so, shows its example, and starts working by itself.
import assert from 'node:assert/strict'
import { inRoot } from '../../../tools/paths.mjs'
import { serve } from '../../../tools/serve.mjs'
import { buildingSite } from '../../../tools/start/building-site.mjs'
import { assertCalm, atBothWidths } from '../page.mjs'

const said = page => page.waitForFunction(() => document.getElementById('heed-still-building')?.textContent)

atBothWidths('a page whose engine is still being compiled says how far that is, and then answers', async ({ open }) => {
  const { promise, resolve: built } = Promise.withResolvers()
  const site = buildingSite({ relaxed: promise }, inRoot('build/page/index.html'))
  site.report('its compilers are being set up')
  const server = await serve(inRoot('build/page'), { compressed: true, ...site })
  try {
    const page = await open()
    await page.goto(server.url)
    page.problems.length = 0 // of the page that was left while it was loading
    await said(page)
    assert.match(await page.evaluate(() => document.getElementById('chat-log').textContent), /found the lantern/)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing is cut off')
    await page.evaluate(() => {
      document.querySelector('#message').value = 'Who found it?'
    })
    site.report('12/31')
    await page.waitForFunction(() => /heed-relaxed.*12\/31/.test(document.getElementById('heed-still-building').textContent))
    built()
    await page.waitForFunction(() => globalThis.heed?.model && !document.getElementById('heed-still-building'))
    assert.equal(await page.evaluate(() => document.querySelector('#message').value), 'Who found it?', 'what was written is there')
    assertCalm(page)
  } finally {
    await server.close()
  }
})
