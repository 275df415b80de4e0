// Chromium, by Playwright, which also has hands to use a page with.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { needBrowser } from './install.mjs'

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
]

/**
 * Starts a headless browser with a fresh profile and Playwright's context `options`. Resolves to
 * {context, open(url), close()}; `open` to one of Playwright's pages, whose `problems` collects what it
 * reports as errors.
 */
export async function startChromium(options = {}) {
  const { chromium: executablePath } = await needBrowser('chromium')
  const profile = mkdtempSync(join(tmpdir(), 'heed-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath, headless: true, args: flags, ...options,
  })
  return {
    context,
    async open(url) {
      const page = await context.newPage()
      page.problems = []
      page.on('pageerror', error => page.problems.push(error.message))
      page.on('console', message => { if (message.type() === 'error') page.problems.push(message.text()) })
      await page.goto(url)
      return page
    },
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** The same, as index.mjs describes a browser. */
export async function connectChromium() {
  const { open, close } = await startChromium()
  return {
    async open(url) {
      const page = await open(url)
      return { problems: page.problems, run: script => page.evaluate(script), close: () => page.close() }
    },
    close,
  }
}
