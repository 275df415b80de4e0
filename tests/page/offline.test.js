// The page without a network, and on hosts that do not isolate it.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { inRoot } from '../../tools/paths.mjs'
import { assertCalm, changed, inOwnBrowser, keep, keptForOffline, openPage, ready, sample, write } from './page.mjs'

const edit = (folder, name, change) => {
  const path = join(folder, name)
  const old = readFileSync(path, 'utf8')
  const changed = change(old)
  assert.notEqual(changed, old)
  writeFileSync(path, changed)
}

const threads = page => page.evaluate(() => globalThis.heed.model.info.threads)

/** Counts how often pages of the site are loaded from now on. */
function countLoads(browser, site) {
  let count = 0
  browser.context.on('page', page =>
    page.on('domcontentloaded', () => {
      // a navigation may also be a history entry that is only marked
      if (page.url() === site.url) count++
    }),
  )
  return () => count
}

for (const isolated of [true, false]) {
  test(
    `a second visit works with the server stopped, ${isolated ? 'with' : 'without'} isolation headers`,
    inOwnBrowser(
      async (browser, site) => {
        const page = await openPage(browser, site.url)
        await keptForOffline(page)
        const expected = await threads(page)
        await site.close()
        await page.reload()
        await ready(page)
        assert.equal(await threads(page), expected)
        await sample(page, { maxTokens: '40' })
        assert.ok((await write(page)).length > 0)
        const another = await openPage(browser, site.url)
        assert.ok((await write(another)).length > 0)
        assertCalm(page)
      },
      { isolated },
    ),
  )
}

test(
  'on a host that does not isolate it, the page reloads once, and then has threads',
  inOwnBrowser(
    async (browser, site) => {
      const loads = countLoads(browser, site)
      const page = await openPage(browser, site.url)
      assert.equal(loads(), 2)
      assert.equal(await page.evaluate(() => crossOriginIsolated), true)
      assert.ok((await threads(page)) > 1)
      await page.reload()
      await ready(page)
      assert.equal(loads(), 3, 'the worker is there from the start')
      assertCalm(page)
    },
    { isolated: false },
  ),
)

test(
  'without a network, a model from elsewhere is refused at once, in plain words, also after a reload',
  inOwnBrowser(async (browser, site) => {
    const page = await openPage(browser, site.url)
    await keptForOffline(page)
    await browser.context.setOffline(true)
    for (const address of ['hf:owner/repository:Q4_K_M', 'https://host.invalid/model.gguf']) {
      await keep(page)
      await page.click('.other-models summary')
      await page.fill('#url', address)
      await page.click('#address button')
      await page.locator('.notice').waitFor() // at once: it would not wait as long as for a network that has failed
      assert.match(await page.textContent('.notice span'), /^“[^”]+” could not be downloaded: this device is offline\.$/)
      assert.ok(await page.isHidden('#loading'))
      assert.ok(await page.evaluate(() => globalThis.heed.model === globalThis.kept), 'the model before it stays')
      await page.reload() // from the service worker's cache
      await ready(page)
    }
    assertCalm(page)
  }),
)

const withIdleWorker = folder =>
  edit(folder, 'service-worker.js', code => code.replaceAll(/Cross-Origin-|Document-Isolation-/g, 'X-'))

test(
  'if nothing isolates it, the page reloads once, not in a loop, and generates on one thread',
  inOwnBrowser(
    async (browser, site) => {
      const loads = countLoads(browser, site)
      const page = await openPage(browser, site.url)
      assert.equal(loads(), 2)
      assert.equal(await threads(page), 1)
      await sample(page, { maxTokens: '40' })
      assert.ok((await write(page)).length > 0)
      await page.reload()
      await ready(page)
      assert.equal(loads(), 3)
    },
    { isolated: false, change: withIdleWorker },
  ),
)

const withoutWorker = folder => rmSync(join(folder, 'service-worker.js'))

test(
  'with neither isolation nor a service worker, the page says that it has one thread, and generates',
  inOwnBrowser(
    async (browser, site) => {
      const page = await openPage(browser, site.url)
      assert.equal(await page.evaluate(() => crossOriginIsolated), false)
      assert.equal(await threads(page), 1)
      assert.match(await page.textContent('#facts'), /one thread/)
      await sample(page, { maxTokens: '40' })
      assert.ok((await write(page)).length > 0)
      assertCalm(page, /404/)
    },
    { isolated: false, change: withoutWorker },
  ),
)

/**
 * Watches the states of service workers. A new one takes over some time after the last page of the old one is closed, so this
 * uses a page outside the site: one of the site would keep the old worker.
 */
async function watchWorkers(browser) {
  const blank = await browser.open('about:blank')
  const session = await browser.context.newCDPSession(blank)
  const states = new Map()
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, status } of versions) states.set(versionId, status)
  })
  await session.send('ServiceWorker.enable')
  return {
    /** Waits until the workers that are not redundant have these states, in alphabetical order. */
    async until(...expected) {
      const found = () => [...states.values()].filter(state => state !== 'redundant').sort()
      for (const end = Date.now() + 60_000; !isDeepStrictEqual(found(), expected); ) {
        if (Date.now() > end) throw new Error(`service workers are ${found()}, not ${expected}`)
        await new Promise(resolve => {
          setTimeout(resolve, 50)
        })
      }
    },
  }
}

test(
  'a new version is shown immediately, and works without a network after the old one is closed',
  inOwnBrowser(
    async (browser, site) => {
      const page = await openPage(browser, site.url)
      await keptForOffline(page)
      edit(site.folder, 'index.html', html => html.replace(/<title>.*</, '<title>The next version<'))
      edit(site.folder, 'tiny/catalogue.json', () => '[]') // its name does not change
      edit(site.folder, 'service-worker.js', code => code.replace(/pageVersion="\w+"/, 'pageVersion="next"'))
      await page.reload()
      await ready(page)
      assert.equal(await page.title(), 'The next version')
      const workers = await watchWorkers(browser)
      await workers.until('activated', 'installed')
      await page.close()
      await workers.until('activated')
      await site.close()
      const another = await openPage(browser, site.url)
      assert.equal(await another.title(), 'The next version')
      assert.deepEqual(await another.evaluate(async () => (await fetch('tiny/catalogue.json')).json()), [])
      assert.deepEqual(await another.evaluate(() => caches.keys()), [`heed ${site.url} next`])
      assert.ok((await write(another)).length > 0)
      assertCalm(another)
    },
    { change() {} },
  ),
)

test(
  'the worker stores only the files of the page, and removes those of an older version',
  inOwnBrowser(
    async (browser, site) => {
      const early = await browser.open(`${site.url}service-worker.js`)
      await early.evaluate(async url => {
        await caches.open(`heed ${url} 0000`)
        await caches.open('of another application')
      }, site.url)
      const page = await openPage(browser, site.url)
      await keptForOffline(page)
      await page.reload() // now controlled by the service worker
      await ready(page)
      await page.click('.other-models summary')
      await page.fill('#url', `${site.url}mine.gguf`)
      await keep(page)
      await page.click('#address button')
      await changed(page)
      const [names, urls] = await page.evaluate(async () => {
        const names = await caches.keys()
        const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
        return [names, requests.flat().map(request => request.url)]
      })
      assert.ok(names.includes('of another application'))
      assert.ok(!names.includes(`heed ${site.url} 0000`))
      assert.equal(names.length, 2)
      assert.ok(urls.length > 8 && urls.some(url => url.endsWith('.gguf')))
      assert.ok(!urls.some(url => url.endsWith('mine.gguf')))
      assertCalm(page)
    },
    { change: putModelBeside },
  ),
)

test(
  'the first install of the worker waits for no model',
  inOwnBrowser(async (browser, site) => {
    const page = await browser.open(`${site.url}THIRD-PARTY.txt`)
    const paths = await page.evaluate(async () => {
      await navigator.serviceWorker.register('service-worker.js')
      await navigator.serviceWorker.ready
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    assert.ok(paths.some(path => path.endsWith('.wasm')))
    assert.deepEqual(
      paths.filter(path => /heed-stories|heed-words|\.gguf$/.test(path)),
      [],
    )
  }),
)

/** Puts a user's model on the page's host. */
function putModelBeside(folder) {
  const assets = join(folder, 'assets')
  const model = readdirSync(assets).find(name => name.endsWith('.gguf'))
  copyFileSync(join(assets, model), join(folder, 'mine.gguf'))
}

test('the files that a first visit can fetch are less than 11.5 MB', () => {
  const ofPage = readdirSync(inRoot('build/page'), { recursive: true }).filter(name => !/^manual\b/.test(name))
  const files = ofPage.map(name => inRoot('build/page', name))
  const bytes = files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0)
  assert.ok(bytes > 1e6 && bytes < 11.5e6, `${bytes} bytes`)
})
