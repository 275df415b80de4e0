// Chromium, driven by Playwright, which can also click and type in a page.
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
 * Starts a headless browser with a new profile and Playwright's context `options`. Resolves to {context, open(url), close()}.
 * `open` resolves to a Playwright page, whose `problems` lists uncaught and console errors.
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

/** Starts Chromium with the interface that index.mjs needs. */
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
