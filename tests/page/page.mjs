// Helpers of the page's tests: the built page on its own server, and functions that use it.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { startFirefoxPages } from '../../tools/browsers/firefox.mjs'
import { narrowPage } from '../../tools/browsers/narrow-page.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'

/**
 * Serves the page, which all tests share; with `change`, a copy of it, which `change(folder)` may alter. Unless it is to work offline
 * by itself, a browser keeps the files whose names have a hash, as from most hosts, and does not ask for them again. Resolves to
 * {url, folder, close()}.
 */
export async function servePage({ isolated = true, worksOffline = false, change } = {}) {
  const how = { isolated, immutable: worksOffline ? undefined : /^\/assets\// }
  if (!change) return serve(inRoot('build/page'), how)
  const folder = mkdtempSync(join(tmpdir(), 'heed-page-'))
  cpSync(inRoot('build/page'), folder, { recursive: true })
  change(folder)
  const server = await serve(folder, how)
  return {
    url: server.url,
    folder,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts Chromium with the random numbers of each page in a fixed order, so that texts without a seed are the same in every run,
 * until the model changes. Unless `isOneVisitor`, each tab is a new visitor without saved conversations. Only with `worksOffline`,
 * the page may keep its files for use without a network: on a first visit, that takes as much of the processor as the rest.
 */
export async function startRepeatableBrowser({ isOneVisitor = false, worksOffline = false, ...options } = {}) {
  const browser = await startChromium({ own: false, serviceWorkers: worksOffline ? 'allow' : 'block', ...options })
  if (!isOneVisitor) {
    await browser.context.addInitScript(() => {
      try {
        if (sessionStorage.visits === undefined) indexedDB.deleteDatabase('heed-conversations')
        sessionStorage.visits = 'yes'
      } catch {} // about:blank has no storage
    })
  }
  await browser.context.addInitScript(() => {
    let drawn = 0
    crypto.getRandomValues = box => {
      for (const index of box.keys()) box[index] = Math.imul(++drawn, 0x9e3779b1)
      return box
    }
  })
  return browser
}

/** Starts a browser and serves the page for all tests of a file; closes both after the last test. */
export async function visitPage(browserOptions) {
  const browser = await startRepeatableBrowser(browserOptions)
  const site = await servePage({ worksOffline: browserOptions?.worksOffline })
  after(async () => {
    await browser.close()
    await site.close()
  })
  return { browser, site }
}

const browserName = process.env.HEED_BROWSER ?? 'chromium'

/** The windows of visitors: a desktop's and a phone's. */
const windows = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]

const { HEED_TURN } = process.env
let turns = Number(HEED_TURN)

/** The windows of the next test: both, or one by turns if the runner sets HEED_TURN. */
const windowsOfNextTest = () => (HEED_TURN ? [windows[turns++ % windows.length]] : windows)

/** State that the tests of a file share at both widths: browsers and, for each way of serving the page, a site and a tab of it. */
const started = new Map()
const shared = new Map()

/** A visitor's browser. Firefox's is the same for all tests, because each would be a program of its own; it works offline. */
function visitorsBrowser(worksOffline = false) {
  const key = browserName === 'firefox' || worksOffline
  if (!started.has(key))
    started.set(key, browserName === 'firefox' ? startFirefoxPages() : startRepeatableBrowser({ isOneVisitor: true, worksOffline }))
  return started.get(key)
}

async function closeShared() {
  for (const { site } of shared.values()) await (await site)?.close() // none, if its tests were left out
  for (const browser of started.values()) await (await browser).close()
}

/** Makes a tab a new visitor's: nothing is stored except the page's files, which a service worker may have cached. */
async function becomeNew(page, url) {
  const empty = `${url}THIRD-PARTY.txt`
  // The page that is left saves what it has while the next one is there already: what is cleared would come back.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {}
    IDBFactory.prototype.open = () => ({})
  })
  // An open sheet closes when the width changes, and goes back in the history, which ends a navigation that has begun.
  await page.goto(empty).catch(() => page.goto(empty))
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    const folder = await navigator.storage.getDirectory?.()
    if (folder) for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true })
    for (const { name } of await indexedDB.databases()) {
      await new Promise((resolve, reject) => {
        Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onerror: reject })
      })
    }
  })
}

/** Resets all settings that tests of conversations change, except for the model, with the page's own controls. */
export const setBack = page =>
  page.evaluate(() => {
    const { heed } = globalThis
    const everywhere = selector => [document, heed.viewer.shadowRoot].flatMap(root => [...root.querySelectorAll(selector)])
    const set = (element, value) => {
      element.value = value
      for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }))
    }
    history.replaceState(null, '', location.pathname)
    document.querySelector('#rooms [value=chat]').click()
    for (const id of ['chat-new', 'sampling-reset']) document.getElementById(id).click()
    for (const control of document.querySelectorAll('#chat [aria-expanded=true], #tool-list :checked, .notice button'))
      control.click()
    for (const id of ['message', 'system-message']) set(document.getElementById(id), '')
    for (const details of everywhere('details[open]')) details.open = false
    everywhere('input[name=pace][value=instant]')[0].click()
    delete document.documentElement.dataset.printing
    scrollTo(0, 0)
  })

/** Waits until the page has the bundled model, which may replace another one. */
export async function hasBundled(page) {
  await hasModel(page)
  await page.evaluate(() => {
    if (globalThis.heed.model.info.name !== 'heed-stories') document.getElementById('bundled').click()
  })
  await page.waitForFunction(() => globalThis.heed.model.info.name === 'heed-stories')
  await page.evaluate(() => document.querySelector('#rooms [value=chat]').click())
}

/** In Chromium, tests for both browsers have no more than in Firefox. */
const forBoth = browserName === 'chromium' ? narrowPage : page => page

/**
 * Defines a test of the page for each width, or for one of them by turns, in the browser that the suite names: Chromium, or
 * Firefox, whose pages have the part of Playwright's methods in tools/browsers/firefox-page.mjs. `body` gets {open(hash), turn(),
 * site, width, browser}. `open` resolves to the page as a new visitor sees it, in a window of that width; called again, to another
 * tab of the same visitor. `turn` resolves to the page that the previous test left, after a reset, because opening it again would
 * take most of the time of a short test. These tests are in tests/page/both, which is run in both browsers. `served` are options of
 * servePage.
 */
export function atBothWidths(name, body, served) {
  if (shared.size === 0) after(closeShared)
  const ours = shared.get(served) ?? {}
  shared.set(served, ours)
  for (const viewport of windowsOfNextTest()) {
    test(`${browserName}, ${viewport.width} px: ${name}`, async context => {
      const browser = await visitorsBrowser(served?.worksOffline)
      const site = await (ours.site ??= servePage(served))
      const pages = []
      /** A tab of this window's size, by default a new one. */
      const take = async (page, go) => {
        const taken = page ?? forBoth(await browser.open('about:blank'))
        pages.push(taken)
        taken.problems.length = 0
        await taken.setViewportSize(viewport)
        await go(taken)
        return taken
      }
      const { tab } = ours
      ours.tab = undefined // a failed test leaves none
      const open = (hash = '') => {
        const isFirst = pages.length === 0
        return take(isFirst ? tab : undefined, async page => {
          if (isFirst) await becomeNew(page, site.url)
          await page.goto(site.url + hash)
        })
      }
      const turn = () => (tab && pages.length === 0 ? take(tab, setBack) : open())
      context.after(async () => {
        for (const page of pages) if (page !== ours.tab) await page.close().catch(() => {})
      })
      await body({ open, turn, site, width: viewport.width, browser: browserName })
      const [first] = pages
      if (await isOpen(first)) {
        await first.emulateMedia({ media: null })
        ours.tab = first
      }
    })
  }
}

/** Whether the tab is still open. */
const isOpen = page => page.evaluate(() => true).catch(() => false)

/**
 * For tests that use one page in turn, for example each in a window of its own size: `prepare` opens it for the first one. Returns
 * a function that resolves to the page, which is closed after the last test.
 */
export function prepared(prepare) {
  let page
  return () => (page ??= prepare())
}

/**
 * For tests that take turns on one page, which each of them sets up: returns a function that resolves to the page that the previous
 * test closed, or to a page that `open` opens. A failed test keeps its page.
 */
export function inTurn(open) {
  let free
  return async () => {
    const page = free ?? (await open())
    free = undefined
    page.problems = []
    page.close = async () => {
      free = page
    }
    return page
  }
}

/** Waits until the page has drawn itself as it is now. */
export const drawn = page =>
  page.evaluate(
    () =>
      new Promise(resolve => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )

/** Changes the size of a window, and waits until the page has drawn itself in it. */
export async function resize(page, width, height) {
  await page.setViewportSize({ width, height })
  await drawn(page)
}

/**
 * Runs a test with its own browser, whose store is on a disk, and where the page works offline; `served` are options of servePage:
 * `change() {}` if the test edits.
 */
export const inOwnBrowser =
  (body, { browserOptions, ...served } = {}) =>
  async () => {
    const browser = await startRepeatableBrowser({ own: true, worksOffline: true, ...browserOptions })
    const site = await servePage({ worksOffline: true, ...served })
    try {
      await body(browser, site)
    } finally {
      await browser.close()
      await site.close()
    }
  }

/** The end of a link to a conversation, as web/sharing/chat-link.ts packs it. */
export const chatHash = messages => `#chat=${deflateRawSync(JSON.stringify(messages)).toString('base64url')}`

/** Waits until the service worker has cached the page's files. */
export const keptForOffline = page =>
  page.waitForFunction(() => /without a network/.test(document.getElementById('offline').textContent))

/** Whether the browser would ask the user before it leaves the page. */
export const asksBeforeLeaving = page =>
  page.evaluate(() => !globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true })))

/** Waits until the page has a model. */
export const hasModel = page => page.waitForFunction(() => Boolean(globalThis.heed?.model))

/** Waits until the page has a model, and the viewer shows its attention. */
export const showsAttention = page => page.waitForFunction(() => Boolean(globalThis.heed?.model && globalThis.heed.attention))

/** Waits until the page has a model, switches to free text, and waits until the page has read the prompt. */
export async function ready(page) {
  await hasModel(page)
  await page.evaluate(() => document.querySelector('#rooms:not([hidden]) [value=text]')?.click())
  await page.waitForFunction(() => Boolean(globalThis.heed.attention))
}

/**
 * Opens the page, waits until it is ready, and chooses to generate whole texts. In the page, `everywhere(selector)` returns
 * the matching elements of the page and of its viewer.
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

/**
 * Follows links to texts: opens the page by the first, and goes to the others from there. `links` are {prompt, rest}, whose prompts
 * differ; `look(page, rest)` is called once the page shows the prompt.
 */
export async function followEach(browser, url, links, look) {
  const hashOf = ({ prompt, rest }) => `${new URLSearchParams({ prompt })}&${rest}`
  const page = await browser.open(`${url}#${hashOf(links[0])}`)
  for (const link of links) {
    await page.evaluate(hash => {
      location.hash = hash
    }, hashOf(link))
    await page.waitForFunction(prompt => globalThis.heed?.passage.prompt === prompt && globalThis.heed.attention, link.prompt)
    await look(page, link.rest)
    assertCalm(page)
  }
  await page.close()
}

/** The colors of the heat map, from no attention to full attention, as red, green and blue. */
export const heatStops = page =>
  page.evaluate(() =>
    [0, 1, 2, 3, 4].map(stop => {
      const probe = document.createElement('span')
      probe.style.color = `var(--heed-heat-${stop})`
      probe.style.forcedColorAdjust = 'none'
      globalThis.heed.viewer.shadowRoot.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color.match(/\d+/g).map(Number)
    }),
  )

/** Drops a file on the page, and checks the overlay that is shown before. */
export const drop = (page, name, bytes, type = '') => dropAll(page, [{ name, bytes, type }])

/**
 * The folder of files that tests choose or drop: a browser reads a file by itself, whereas bytes would be sent to it as text in a
 * message.
 */
const given = mkdtempSync(join(tmpdir(), 'heed-given-'))
process.once('exit', () => rmSync(given, { recursive: true, force: true }))
let count = 0

function pathOf({ name, bytes }) {
  const folder = join(given, `${++count}`)
  mkdirSync(folder)
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

/** Chooses files, {name, bytes}, in an input, which is an element or its selector. */
export const chooseFiles = (page, input, files) => page.locator(input).setInputFiles(files.map(pathOf))

/** Makes a DataTransfer with these files, {name, bytes, type}: the page's `transfer`. */
export async function prepareTransfer(page, files) {
  await page.evaluate(() =>
    document.body.append(
      Object.assign(document.createElement('input'), { type: 'file', id: 'given', multiple: true, hidden: true }),
    ),
  )
  await chooseFiles(page, '#given', files)
  await page.evaluate(
    types => {
      const input = document.getElementById('given')
      globalThis.transfer = new DataTransfer()
      for (const [at, file] of [...input.files].entries()) transfer.items.add(new File([file], file.name, { type: types[at] }))
      input.remove()
    },
    files.map(({ type = '' }) => type),
  )
}

/** Drags the page's `transfer`: `events` are such as `dragover` and `drop`. */
export const drag = (page, ...events) =>
  page.evaluate(events => {
    for (const type of events) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: globalThis.transfer, bubbles: true, cancelable: true }))
    }
  }, events)

/** The same with several files, {name, bytes, type}. */
export async function dropAll(page, dropped) {
  await prepareTransfer(page, dropped)
  await drag(page, 'dragover')
  assert.ok(await page.locator('#curtain').isVisible())
  await drag(page, 'drop')
  assert.ok(await page.locator('#curtain').isHidden())
}

/** Clicks the visible element of these that has this text, once there is one. */
export async function clickText(page, selector, text) {
  await page.waitForFunction(
    ([selector, text]) => {
      const found = [...document.querySelectorAll(selector)].find(one => one.textContent.trim() === text && one.checkVisibility())
      found?.click()
      return Boolean(found)
    },
    [selector, text],
  )
}

/** Takes a model that comes with the page, by its name in the list. */
export async function takeTiny(page, name) {
  if (!(await page.isVisible('#tiny'))) await page.click('#other-models summary')
  await clickText(page, '#tiny button', name)
}

/** `keep` records the page's model; `changed` waits until the page has another one, and shows its attention. */
export const keep = page =>
  page.evaluate(() => {
    globalThis.kept = globalThis.heed.model
  })
export const changed = page =>
  page.waitForFunction(
    () => globalThis.heed.model !== globalThis.kept && Boolean(globalThis.heed.attention || globalThis.heed.pictureAttention),
  )

/** Loads another model by choosing a file, and waits until the page shows its attention. */
export async function choose(page, name, bytes) {
  await keep(page)
  await chooseFiles(page, '#file', [{ name: `${name}.gguf`, bytes }])
  await changed(page)
}

/** Sets sampling options like a user. */
export const sample = (page, options) =>
  page.evaluate(values => {
    for (const [id, value] of Object.entries(values)) {
      const input = document.getElementById(id)
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, options)

/** Waits until the text is complete and all of its attention is available; returns the generated text. */
export async function written(page) {
  await page.waitForFunction(() => {
    const {
      passage,
      attention,
      model: { info },
    } = globalThis.heed
    const shown = Math.min(Math.floor(384 * Math.sqrt(Math.max(32 / info.heads, 1))), info.contextLength)
    return (
      passage.written.length > 0 &&
      passage.promptTokens &&
      globalThis.heed.versions.current?.outcome &&
      attention?.rows === Math.min(passage.promptTokens.length + passage.written.length, shown)
    )
  })
  return page.evaluate(() => globalThis.heed.passage.written.map(token => token.text).join(''))
}

/** Continues the current text from the held token, and waits until that is written. */
export async function goOn(page) {
  const before = await page.evaluate(() => heed.versions.list.value.length)
  await page.click('#go-on')
  await page.waitForFunction(before => heed.versions.list.value.length > before, before)
  await written(page)
}

/** Generates a text and returns it. */
export async function write(page, prompt) {
  if (prompt !== undefined) await page.fill('#prompt', prompt)
  await page.click('#write')
  return written(page)
}

/** Firefox reports this as maps fit themselves to their place in two steps; it is harmless. */
const resizing = browserName === 'firefox' ? /^ResizeObserver loop completed/ : /^$/

/** Checks that the page reported no errors, except those that match `expected`. */
export const assertCalm = (page, expected = /^$/) =>
  assert.deepEqual(
    page.problems.filter(problem => !expected.test(problem) && !resizing.test(problem)),
    [],
  )
