// The manual in Chromium: under any path and a strict policy, its search, without a network, on a phone, and by axe's rules.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { serve } from '../../tools/serve.mjs'
import { builtManual } from './site.mjs'

const { root, folder } = builtManual()
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let server, chromium

before(async () => {
  server = await serve(root, { isolated: false })
  chromium = await startChromium({ own: true })
  await chromium.context.addInitScript({ path: axe }) // before the page's policy forbids other scripts
})
after(async () => {
  await chromium.close()
  await server.close()
})

const open = path => chromium.open(`${server.url}some/where/manual/${path}`)

test('the search finds a section, and Enter opens it', async () => {
  const page = await open('index.html')
  await page.keyboard.press('/')
  await page.keyboard.type('context overflow')
  await page.waitForSelector('#found a')
  assert.match(await page.textContent('#found li'), /context-overflow/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/troubleshooting\.html#context-overflow$/)
  assert.deepEqual(page.problems, [])
  await page.close()
})

test('search finds names of calls, and nothing for words that are in no page', async () => {
  const page = await open('guide/chat.html')
  await page.fill('#search', 'modelStore.prune')
  await page.waitForFunction(() => /prune/.test(document.querySelector('#found').textContent))
  await page.fill('#search', 'xylophone')
  await page.waitForFunction(() => document.querySelector('#found').textContent === 'Nothing found')
  await page.close()
})

test('after one visit, every page opens without a network, and so does the search', async () => {
  const first = await open('index.html')
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await first.close()
  await chromium.context.setOffline(true)
  try {
    const page = await open('lab/edits.html')
    assert.match(await page.textContent('h1'), /Edits and steering/)
    await page.fill('#search', 'steer')
    await page.waitForSelector('#found a')
    assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('#found')).position), 'absolute') // styles, too
    await page.close()
  } finally {
    await chromium.context.setOffline(false)
  }
})

for (const [look, options] of Object.entries({
  'a desk, light': { width: 1280, colorScheme: 'light' },
  'a desk, dark': { width: 1280, colorScheme: 'dark' },
  'a phone': { width: 360, colorScheme: 'light' },
})) {
  test(`${look}: axe finds nothing, and nothing is wider than the window`, async () => {
    for (const path of [
      'index.html',
      'guide/structured-output.html',
      'reference/model.generate.html',
      'reference/types-texts.html',
    ]) {
      const page = await open(path)
      await page.setViewportSize({ width: options.width, height: 800 })
      await page.emulateMedia({ colorScheme: options.colorScheme })
      const { violations, isWide } = await page.evaluate(async () => ({
        violations: (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
        ),
        isWide: document.documentElement.scrollWidth > innerWidth,
      }))
      assert.deepEqual(violations, [], path)
      assert.equal(isWide, false, path)
      assert.deepEqual(page.problems, [], path)
      await page.close()
    }
  })
}

test('in the narrowest window, no page is wider than that', async () => {
  const paths = readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.html') && name !== 'run.html')
  assert.ok(paths.length > 100)
  const page = await open('index.html') // which shows the text of each: to open them all would take half a minute
  await page.setViewportSize({ width: 320, height: 844 })
  const wide = await page.evaluate(async paths => {
    const texts = await Promise.all(paths.map(async path => (await fetch(path)).text()))
    return paths.filter((_, at) => {
      const { body } = new DOMParser().parseFromString(texts[at], 'text/html')
      document.querySelector('main').replaceWith(body.querySelector('main'))
      return document.documentElement.scrollWidth > innerWidth
    })
  }, paths)
  assert.deepEqual(wide, [])
  await page.close()
})
