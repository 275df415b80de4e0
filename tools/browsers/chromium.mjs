// Chromium, driven by Playwright, which can also click and type in a page.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { needBrowser } from './install.mjs'

export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts one browser, by default `chromium` of install.mjs, for the files of a suite, which startChromium finds by the variables `env`.
 * Resolves to {env, close()}.
 */
export async function startSharedChromium(name = 'chromium') {
  const { chromium: executablePath } = await needBrowser(name)
  // Without a context of this process, which would follow each page of each file, and all of them would wait for it.
  const browser = await chromium.launch({ executablePath, args: [...flags, '--remote-debugging-port=0'] })
  const session = await browser.newBrowserCDPSession()
  const { commandLine } = await session.send('SystemInfo.getInfo')
  const [, profile] = /--user-data-dir=(.*?)(?: --|$)/.exec(commandLine)
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
  return { env: { HEED_CHROMIUM_SERVER: `http://127.0.0.1:${port}` }, close: () => browser.close() }
}

/** For one step of a test. On a busy machine, a first visit alone may take longer than Playwright's 30 s. */
const patienceMs = 120_000

/** A new context in a suite's browser, with nothing stored; or, with `onDisk`, the context that stores on a disk, which all files share. */
async function inSharedBrowser({ onDisk, ...options }) {
  const browser = await chromium.connectOverCDP(process.env.HEED_CHROMIUM_SERVER)
  const context = onDisk ? browser.contexts()[0] : await browser.newContext(options)
  const close = async () => {
    if (!onDisk) await context.close()
    await browser.close() // closes only the connection
  }
  return { context, close }
}

async function inOwnBrowser({ v8, profile, name = 'chromium', ...options }) {
  const { chromium: executablePath } = await needBrowser(name)
  const folder = profile ?? mkdtempSync(join(tmpdir(), 'heed-chromium-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: [...flags, ...(v8.length > 0 ? [`--js-flags=${v8.join(' ')}`] : [])],
    ...options,
  })
  const close = async () => {
    await context.close()
    if (!profile) rmSync(folder, { recursive: true, force: true })
  }
  return { context, close }
}

/** A context off the record, as in a private window. */
async function offTheRecord(options) {
  const { chromium: executablePath } = await needBrowser('chromium')
  const browser = await chromium.launch({ executablePath, args: flags })
  return { context: await browser.newContext(options), close: () => browser.close() }
}

/**
 * Makes `waitForFunction` ask by a timer, about as often as in each frame, which is Playwright's way: that makes the browser draw 60
 * times a second what has not changed, for a tenth of a core.
 */
function pollByTime(page) {
  const { waitForFunction } = page
  page.waitForFunction = (body, argument, options) => waitForFunction.call(page, body, argument, { polling: 20, ...options })
}

/**
 * Starts a headless browser with a new profile and Playwright's context `options`. With `own: false`, a suite gets a context of its
 * shared browser instead (see inSharedBrowser), unless it needs flags for V8 (`v8`), which only a browser of its own can have.
 * `isPrivate`: as in a private window. `profile`: the folder of an own browser's profile, which is kept. `name`: the name of the
 * browser in install.mjs. Resolves to {context, open(url), close()}. `open` resolves to a Playwright page, whose `problems` lists
 * uncaught and console errors.
 */
export async function startChromium({ own = true, onDisk = false, isPrivate = false, v8 = [], ...options } = {}) {
  const shared = !own && v8.length === 0 && process.env.HEED_CHROMIUM_SERVER
  const { context, close } = isPrivate
    ? await offTheRecord(options)
    : shared
      ? await inSharedBrowser({ onDisk, ...options })
      : await inOwnBrowser({ v8, ...options })
  context.setDefaultTimeout(patienceMs)
  return {
    context,
    close,
    async open(url) {
      const page = await context.newPage()
      page.problems = []
      pollByTime(page)
      page.on('pageerror', error => page.problems.push(error.message))
      page.on('console', message => {
        if (message.type() === 'error') page.problems.push(message.text())
      })
      await page.goto(url)
      return page
    },
  }
}

/** Starts Chromium with the interface that index.mjs needs. */
export async function connectChromium({ v8 }) {
  const { open, close } = await startChromium({ own: false, onDisk: true, v8 })
  return {
    async open(url) {
      const page = await open(url)
      return { problems: page.problems, run: script => page.evaluate(script), close: () => page.close() }
    },
    close,
  }
}
