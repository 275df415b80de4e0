// One headless Chromium for a test file, and pages in it that fail the test where they report an error.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { needChromium } from '../../tools/chromium.mjs'

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
]

/** Starts a browser with a fresh profile and Playwright's context `options`. Resolves to {open(url), context, close()}. */
export async function startChromium(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'heed-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await needChromium(), headless: true, args: flags, ...options,
  })
  return {
    context,
    /** A page at `url`; `page.problems` collects what it reports as errors. */
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
