// What the tests of the page share: the built page on a server of its own, and hands to use it with.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'

/** Serves a copy of the page, which `change(folder)` may alter. Resolves to {url, folder, close()}. */
export async function servePage({ isolated = true, change = () => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-page-'))
  cpSync(inRoot('build/page'), folder, { recursive: true })
  change(folder)
  const server = await serve(folder, { isolated })
  return {
    url: server.url,
    folder,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A browser and the page, for all tests of a file: closed after the last of them. */
export async function visitPage(browserOptions) {
  const browser = await startChromium(browserOptions)
  const site = await servePage()
  after(async () => {
    await browser.close()
    await site.close()
  })
  return { browser, site }
}

/** Runs a test with a browser, and so a store, of its own, and a page that is served as `served` says. */
export const inOwnBrowser = (body, { browserOptions, ...served } = {}) => async () => {
  const browser = await startChromium(browserOptions)
  const site = await servePage(served)
  try {
    await body(browser, site)
  } finally {
    await browser.close()
    await site.close()
  }
}

/** Waits until the service worker has what the page needs. */
export const keptForOffline = page => page.waitForFunction(() =>
  /without a network/.test(document.getElementById('offline').textContent))

/** Waits until the page has a model, turns to its free text, and waits until the page has read the prompt. */
export async function ready(page) {
  await page.waitForFunction(() => globalThis.heed?.model)
  await page.evaluate(() => document.querySelector('#rooms:not([hidden]) [value=text]')?.click())
  await page.waitForFunction(() => globalThis.heed.attention)
}

/**
 * Opens the page and waits until it is ready, to write whole texts. In the page, `everywhere(selector)` gives the elements that
 * match in it and in its viewer.
 */
export async function openPage(browser, url) {
  const page = await browser.open(url)
  await ready(page)
  await page.evaluate(() => {
    globalThis.everywhere = selector =>
      [document, globalThis.heed.viewer.shadowRoot].flatMap(root => [...root.querySelectorAll(selector)])
    document.getElementById('whole-text').checked = true
  })
  return page
}

/** The colours of the heat map, from no attention to all of it, as red, green and blue. */
export const heatStops = page => page.evaluate(() => [0, 1, 2, 3, 4].map(stop => {
  const probe = document.createElement('span')
  probe.style.color = `var(--heed-heat-${stop})`
  globalThis.heed.viewer.shadowRoot.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color.match(/\d+/g).map(Number)
}))

/** Drops a file on the page, with the curtain that goes before it. */
export async function drop(page, name, bytes, type = '') {
  const files = await page.evaluateHandle(async ({ name, base64, type }) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    transfer.items.add(new File([bytes], name, { type }))
    return transfer
  }, { name, type, base64: bytes.toString('base64') })
  await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
  assert.ok(await page.locator('#curtain').isVisible())
  await page.dispatchEvent('body', 'drop', { dataTransfer: files })
  assert.ok(await page.locator('#curtain').isHidden())
}

/** Waits for a model other than `old`, which `keep` remembers in the page. */
export const keep = page => page.evaluate(() => { globalThis.kept = globalThis.heed.model })
export const changed = page => page.waitForFunction(() =>
  globalThis.heed.model !== globalThis.kept && (globalThis.heed.attention || globalThis.heed.pictureAttention))

/** Loads another model from a file that is chosen, and waits until the page shows what it attends to. */
export async function choose(page, name, bytes) {
  await keep(page)
  await page.setInputFiles('#file', { name: `${name}.gguf`, mimeType: '', buffer: bytes })
  await changed(page)
}

/** Sets sampling options, as if by hand. */
export const sample = (page, options) => page.evaluate(values => {
  for (const [id, value] of Object.entries(values)) {
    const input = document.getElementById(id)
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}, options)

/** Waits until the model has written and the attention of it all is there; returns the written text. */
export async function written(page) {
  await page.waitForFunction(() => {
    const { passage, attention, model: { info } } = globalThis.heed
    const shown = Math.min(Math.floor(384 * Math.sqrt(Math.max(32 / info.heads, 1))), info.contextLength)
    return passage.written.length > 0 && passage.promptTokens && globalThis.heed.versions.current?.outcome
      && attention?.rows === Math.min(passage.promptTokens.length + passage.written.length, shown)
  })
  return page.evaluate(() => globalThis.heed.passage.written.map(token => token.text).join(''))
}

/** Has the model write, and returns what it wrote. */
export async function write(page, prompt) {
  if (prompt !== undefined) await page.fill('#prompt', prompt)
  await page.click('#write')
  return written(page)
}

/** That the page reported no error, apart from those that match `expected`. */
export const assertCalm = (page, expected = /^$/) =>
  assert.deepEqual(page.problems.filter(problem => !expected.test(problem)), [])
