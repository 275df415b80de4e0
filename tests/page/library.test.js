// Stored models: pausing downloads, listing, opening without a network, deleting; and what happens if none can be stored.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defaultModelBytes } from '../package/support.mjs'
import { startHub } from '../support/hub/index.mjs'
import { assertCalm, changed, drawn, drop, inOwnBrowser, keep, keptForOffline, openPage, ready, sample, write } from './page.mjs'

const bytes = defaultModelBytes()
const hub = await startHub({ 'heed/stories': { 'stories-Q8_0.gguf': bytes, 'other-Q4_K_M.gguf': bytes } })
after(() => hub.close())
const address = hub.address('heed/stories', 'stories-Q8_0.gguf')

/** Runs a test with its own browser, and with the hub in its initial state. */
const visit = (body, browserOptions) =>
  inOwnBrowser(
    (browser, site) => {
      hub.behavior = {}
      hub.requests.length = 0
      hub.served = 0
      return body(browser, site)
    },
    { browserOptions },
  )

const openSources = page =>
  page.evaluate(() => {
    document.getElementById('other-models').open = true
  })

async function load(page, source) {
  await openSources(page)
  await page.fill('#url', source)
  await page.click('#address button')
}

async function loaded(page, source) {
  await keep(page)
  await load(page, source)
  await changed(page)
}

/** Waits until the list has `count` rows that match `pattern`; returns their texts, without the question whether they fit. */
async function rows(page, count, pattern = /^/) {
  await openSources(page)
  const found = await page.waitForFunction(
    ([count, pattern]) => {
      const parts = row => [...row.children].filter(({ className }) => className !== 'ask-fit')
      const texts = [...document.querySelectorAll('#kept li')].map(row =>
        parts(row)
          .map(part => part.textContent)
          .join(''),
      )
      return texts.length === count && texts.every(text => new RegExp(pattern).test(text)) && texts
    },
    [count, pattern.source],
  )
  return found.jsonValue()
}

/** Waits until a part is stored: the store records its progress every MiB. */
const partIsThere = page =>
  page.waitForFunction(share => document.getElementById('loading-bar').value > share, (1.2 * 2 ** 20) / bytes.length)

/** Checks that only the file was sent and, for one interruption, the data in flight or not yet recorded. */
const assertFrugal = () => assert.ok(hub.served < bytes.length + 1.75 * 2 ** 20, `${hub.served} bytes were sent`)

const size = `${(bytes.length / 1e6).toFixed(1)} MB`
const inPart = new RegExp(` of ${size}`)
const loadingText = page => page.textContent('#loading-text')

test(
  'stores a model from a URL, and opens it from the list without asking the hub',
  visit(async (browser, site) => {
    const page = await openPage(browser, site.url)
    assert.ok(await page.locator('#library').isHidden(), 'there is nothing to say yet')
    await loaded(page, address)
    const [row] = await rows(page, 1)
    assert.match(row, new RegExp(`^stories-Q8_0\\.gguf${size}, used todayOpenDelete$`))
    assert.match(await page.textContent('#kept-room'), new RegExp(`^It takes ${size}; there is room for [\\d.]+ [GMT]B more\\.$`))
    hub.requests.splice(0)
    await keep(page)
    await page.getByRole('button', { name: 'Open stories-Q8_0.gguf' }).click()
    await changed(page)
    assert.deepEqual(hub.requests, [])
    await sample(page, { maxTokens: '24' })
    assert.ok((await write(page)).length > 0)
    assertCalm(page)
  }),
)

test(
  'a download shows its speed and the time left, pauses, and resumes',
  visit(async (browser, site) => {
    const page = await openPage(browser, site.url)
    await keep(page)
    hub.behavior = { bytesPerMs: 400 }
    await load(page, address)
    await page.waitForFunction(() => /B\/s, \d+ s left$/.test(document.getElementById('loading-pace').textContent))
    assert.match(await loadingText(page), new RegExp(`^Downloading “stories-Q8_0\\.gguf”: [\\d.]+ [kM]B of ${size}$`))
    await partIsThere(page)
    await page.focus('#loading-pause')
    await page.keyboard.press('Enter')
    assert.match(await loadingText(page), /^Paused “stories-Q8_0\.gguf”: [\d.]+ [kM]B of/)
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Resume', 'the focus stays')
    const [row] = await rows(page, 1, inPart)
    assert.match(row, new RegExp(`[\\d.]+ [kM]B of ${size}, used today.*ResumeDelete$`))
    assert.ok(await page.evaluate(() => heed.model === globalThis.kept), 'the model in use stays')
    hub.behavior = {}
    await page.focus('#loading-pause')
    await page.keyboard.press('Enter')
    await changed(page)
    await page.locator('#loading').waitFor({ state: 'hidden' })
    assert.match((await rows(page, 1, /OpenDelete$/))[0], new RegExp(size))
    assertFrugal()
    assert.deepEqual(await page.locator('.notice').allTextContents(), [])
    assertCalm(page)
  }),
)

test(
  'a download interrupted by closing the page is resumed from the list, or deleted',
  visit(async (browser, site) => {
    const first = await openPage(browser, site.url)
    hub.behavior = { bytesPerMs: 400 }
    await load(first, address)
    await partIsThere(first)
    await first.close()
    const page = await openPage(browser, site.url)
    await rows(page, 1, inPart)
    hub.behavior = {}
    await keep(page)
    await page.getByRole('button', { name: 'Resume stories-Q8_0.gguf' }).click()
    await changed(page)
    assertFrugal()

    await rows(page, 1, /OpenDelete$/)
    const remove = page.getByRole('button', { name: 'Delete stories-Q8_0.gguf' })
    await remove.focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Confirm deleting stories-Q8_0.gguf')
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#kept li').count(), 1)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await rows(page, 0)
    assert.equal(await page.textContent('#kept-news'), 'stories-Q8_0.gguf was deleted.')
    assert.equal(await page.evaluate(() => document.activeElement.nodeName), 'SUMMARY', 'the focus is not lost')
    await sample(page, { maxTokens: '24' })
    assert.ok((await write(page)).length > 0, 'the model in use stays')
    assertCalm(page)
  }),
)

test(
  'a failed download says how much is stored, and resumes',
  visit(async (browser, site) => {
    const page = await openPage(browser, site.url)
    hub.refusals.push({ status: 404, from: 'hub' })
    await load(page, address)
    await page.waitForSelector('.notice')
    assert.doesNotMatch(await page.textContent('.notice'), /are stored/, 'nothing came')
    hub.breaks.push({
      at: 1.5 * 2 ** 20,
      how: () => {
        hub.refusals.push({ status: 404, from: 'hub' })
        hub.expire()
        hub.unplug(50)
      },
    })
    hub.behavior = { bytesPerMs: 1000 }
    await load(page, address)
    await page.waitForFunction(() => /1\.\d MB are stored/.test(document.querySelector('.notice')?.textContent))
    await keep(page)
    await rows(page, 1, /ResumeDelete$/)
    await page.getByRole('button', { name: 'Resume stories-Q8_0.gguf' }).click()
    await changed(page)
    assertFrugal()
    assertCalm(page, /404|ERR_/)
  }),
)

test(
  'the page and a stored model open without a network',
  visit(async (browser, site) => {
    const first = await openPage(browser, site.url)
    await keptForOffline(first)
    await loaded(first, address)
    await rows(first, 1, /OpenDelete$/)
    await first.close()
    await site.close()
    await browser.context.setOffline(true)
    const page = await openPage(browser, site.url)
    await rows(page, 1, /OpenDelete$/)
    await keep(page)
    await page.getByRole('button', { name: 'Open stories-Q8_0.gguf' }).click()
    await changed(page)
    await sample(page, { maxTokens: '24' })
    assert.ok((await write(page)).length > 0)
    await page.click('.other-models summary')
    await page.fill('#url', 'hf:owner/name:Q4_K_M') // a model that is not stored reports at once that there is no network
    await page.click('#address button')
    await page.locator('.notice').waitFor()
    assert.match(await page.textContent('.notice'), /could not be downloaded: this device is offline/)
  }),
)

test(
  'accepts hf: like a URL, and the service worker does not handle downloads',
  visit(async (browser, site) => {
    const throughWorker = []
    const asked = []
    // Our hub responds instead of the real one.
    await browser.context.route('https://huggingface.co/**', async route => {
      const url = route.request().url()
      asked.push(url)
      const answer = await fetch(url.replace('https://huggingface.co', hub.endpoint), { headers: route.request().headers() })
      const body = Buffer.from(await answer.arrayBuffer())
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => !name.startsWith('transfer')))
      await route.fulfill({ status: answer.status, headers: { ...headers, 'access-control-allow-origin': '*' }, body })
    })
    const page = await openPage(browser, site.url)
    await keptForOffline(page)
    await page.reload() // now controlled by the service worker
    await ready(page)
    browser.context.on('response', response => {
      if (/huggingface|gguf/.test(response.url())) throughWorker.push(response.fromServiceWorker())
    })
    await loaded(page, 'hf:heed/stories:Q4_K_M')
    assert.ok(
      asked.some(url => url.includes('/api/models/heed/stories/tree/')) && asked.some(url => url.endsWith('other-Q4_K_M.gguf')),
    )
    assert.match((await rows(page, 1, /OpenDelete$/))[0], /Q4_K_M/)
    assert.ok(throughWorker.length > 0 && !throughWorker.includes(true))
    const cached = await page.evaluate(async () => {
      const requests = await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => url)
    })
    assert.ok(!cached.some(url => url.includes('Q4_K_M') || url.includes('huggingface')))
    assertCalm(page)
  }),
)

test(
  'over quota: says how much is missing, and the model still runs',
  visit(async (browser, site) => {
    const page = await openPage(browser, site.url)
    await keptForOffline(page)
    const quotaSize = (await page.evaluate(async () => (await navigator.storage.estimate()).usage)) + 1_500_000
    const session = await browser.context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin, quotaSize })
    await loaded(page, address)
    assert.match(await page.textContent('.notice span'), /^Not stored: storing the model needs \d MB.*; \d MB more are needed\.$/)
    await rows(page, 0)
    await sample(page, { maxTokens: '24' })
    assert.ok((await write(page)).length > 0)
    assertCalm(page)
  }),
)

test(
  'if the browser stores no files, everything works, and storing is not mentioned',
  visit(async (browser, site) => {
    await browser.context.addInitScript(() => {
      StorageManager.prototype.getDirectory = async () => {
        throw new DOMException('Private', 'SecurityError')
      }
    })
    const page = await openPage(browser, site.url)
    await loaded(page, address)
    await openSources(page)
    assert.ok(await page.locator('#library').isHidden())
    assert.deepEqual(await page.locator('.notice').allTextContents(), [])
    await keep(page)
    await drop(page, 'mine.gguf', bytes)
    await changed(page)
    assert.ok(await page.locator('#keep').isHidden())
    await sample(page, { maxTokens: '24' })
    assert.ok((await write(page)).length > 0)
    assertCalm(page)
  }),
)

test(
  'a dropped file is stored with its button, and cannot be linked',
  visit(async (browser, site) => {
    const page = await openPage(browser, site.url)
    assert.ok(await page.locator('#keep').isHidden())
    await keep(page)
    await drop(page, 'mine.gguf', bytes)
    await changed(page)
    await page.click('#keep-file')
    await page.waitForFunction(() => document.getElementById('keep-status').textContent === 'Stored')
    await page.reload()
    await ready(page)
    assert.equal(JSON.parse(await page.evaluate(() => sessionStorage['heed-model'])).data, 'store:mine.gguf', 'the copy is open')
    assert.ok(await page.locator('#keep').isHidden())
    await page.click('#other-models summary')
    await rows(page, 1, /^mine\.gguf/)
    await keep(page)
    await page.click('#bundled')
    await changed(page)
    await page.click('#other-models summary')
    await keep(page)
    await page.getByRole('button', { name: 'Open mine.gguf' }).click()
    await changed(page)
    await sample(page, { maxTokens: '24' })
    await write(page)
    await page.click('#copy-link')
    assert.match(await page.textContent('#copied'), /A link cannot include a local model file/)
    assertCalm(page)
  }),
)

for (const [width, height] of [
  [1280, 900],
  [390, 844],
]) {
  test(
    `nothing shifts while a model is downloaded and paused in a window of ${width} pixels`,
    visit(async (browser, site) => {
      const page = await openPage(browser, site.url)
      await page.setViewportSize({ width, height })
      hub.behavior = { bytesPerMs: 700 }
      await openSources(page)
      await drawn(page)
      await page.fill('#url', address)
      await page.click('#address button')
      await page.waitForSelector('#loading:not([hidden])')
      await drawn(page) // with what the click itself moves, which counts as a shift if drawing it takes half a second
      await page.evaluate(() => {
        globalThis.shifts = []
        new PerformanceObserver(list => {
          for (const { value, hadRecentInput, sources } of list.getEntries())
            if (!hadRecentInput) globalThis.shifts.push({ value, moved: sources.map(({ node }) => node?.id || node?.className) })
        }).observe({ type: 'layout-shift' })
      })
      await partIsThere(page)
      const assertStill = shifts => assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) < 0.05, JSON.stringify(shifts))
      const shifts = () => page.evaluate(() => globalThis.shifts)
      assertStill(await shifts())
      await page.click('#loading-pause')
      await rows(page, 1, inPart)
      const { right, width: whole } = await page.evaluate(() => ({
        right: Math.max(...[...document.querySelectorAll('.model *')].map(element => element.getBoundingClientRect().right)),
        width: innerWidth,
      }))
      assert.ok(right <= whole, `${right} of ${whole} pixels`)
      // The click makes the list of stored models appear, above the other sources: nothing else may move.
      assertStill((await shifts()).filter(({ moved }) => moved.some(name => name !== 'sources')))
      assertCalm(page)
    }),
  )
}
