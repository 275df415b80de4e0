// Helpers of the package's browser tests: the browser under test, and functions that run in new pages.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { BrowserCrash } from '../../tools/browsers/crash.mjs'
import { startBrowser } from '../../tools/browsers/index.mjs'
import { isBuilt } from '../support/modules.mjs'
import { serveSite } from './site.mjs'

/** chromium, firefox, webkit or webkit-next; tools/test.mjs runs every test in each. */
const started = process.env.HEED_BROWSER ?? 'chromium'
/** The same without the version. */
export const browserName = started.replace('-next', '')
/** Whether its pages have threads: as a rule, if they are isolated; in WebKitGTK none, or, by an option, all. */
export const hasThreads = isolated => (started === 'webkit-next' ? true : isolated && started !== 'webkit')

/** The modules that are built and run in this browser. */
export const modules = (browserName === 'webkit' ? ['simd128'] : ['simd128', 'relaxed', 'memory64']).filter(isBuilt)

/** Resolves once the page has imported the package. */
async function imported() {
  for (let waited = 0; !globalThis.heed; waited += 10) {
    if (waited > 20_000) throw new Error('the page did not import the package')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/**
 * Starts the browser for the tests of a file, with two sites: `isolated`, and `open`, which lacks the isolation headers. `threads`,
 * set once a test runs, is the number of threads that each site gets when two are requested.
 */
export function useBrowser() {
  const sites = {}
  const threads = {}
  let browser

  /** Opens a new page of a site and waits until it has imported the package. The caller must close it. */
  async function openPage(site) {
    const page = await browser.open(site.url)
    await page.evaluate(imported)
    return page
  }

  async function tryInPage(site, body, argument) {
    const page = await browser.open(site.url)
    let result
    try {
      await page.evaluate(imported)
      result = await page.evaluate(body, argument)
    } catch (error) {
      if (error instanceof BrowserCrash) throw error
      await page.close()
      throw new Error([error.message, ...page.problems].join('\n'))
    }
    await page.close()
    return result
  }

  /**
   * Runs a function in a new page of a site, after the package is imported; resolves to its result. Restarts the browser if
   * it crashes, once: WebKitGTK crashes occasionally, with any page.
   */
  async function inPage(site, body, argument) {
    try {
      return await tryInPage(site, body, argument)
    } catch (error) {
      if (!(error instanceof BrowserCrash)) throw error
      console.warn(`${browserName} has crashed (${error.message}), and is started again`)
      await browser.close().catch(() => {})
      browser = await startBrowser(started)
      return tryInPage(site, body, argument)
    }
  }

  /** Checks how a call in a page fails; `describe` in the page reports the error. */
  async function failsWith(site, code, message, body, argument) {
    const error = await inPage(site, body, argument)
    assert.deepEqual([error.heed, error.code], [true, code], error.message)
    assert.match(error.message, message)
  }

  before(async () => {
    browser = await startBrowser(started)
    for (const name of ['isolated', 'open']) {
      sites[name] = await serveSite({ isolated: name === 'isolated' })
      threads[name] = await inPage(sites[name], () => (typeof SharedArrayBuffer === 'undefined' ? 1 : 2))
    }
  })
  after(async () => {
    try {
      await browser?.close()
    } finally {
      for (const site of Object.values(sites)) await site.close()
    }
  })
  return { sites, threads, inPage, failsWith, openPage, open: url => browser.open(url) }
}
