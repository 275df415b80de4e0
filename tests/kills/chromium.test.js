// Tabs that are closed, renderers and browsers that are killed at random moments while a page downloads, reads and writes: no text is wrong,
// the store can be read, and what was on the disk goes on.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { serveSite } from '../browser/site.mjs'
import { processesOf } from '../../tools/browsers/processes.mjs'
import { cutLast, expectedAnswers, inWords, runRounds, startSource } from './rounds.mjs'
import { inPage } from './writing.mjs'

const skip = process.platform === 'win32' && 'finds processes by ps'
let given, expected, site, profile, browser
before(async () => {
  if (skip) return
  const { hub, source, load } = await startSource()
  given = { hub, source, load: { ...load, threads: 2 } }
  expected = await expectedAnswers()
  site = await serveSite({ isolated: true })
  profile = mkdtempSync(join(tmpdir(), 'heed-kills-'))
})
after(async () => {
  await browser?.close()
  await site?.close()
  await given?.hub.close()
  if (profile) rmSync(profile, { recursive: true, force: true })
})

async function open() {
  browser ??= await startChromium({ profile })
  const page = await browser.open(site.url)
  await page.waitForFunction(() => globalThis.heed, undefined, { timeout: 60_000 })
  return page
}

/** `remembers`: whether the page that was ended has left what it told last. */
async function look(argument) {
  const page = await open()
  try {
    // the locks of a tab that has just been closed
    await page.waitForFunction(async () => (await navigator.locks.query()).held.length === 0, undefined, { timeout: 60_000 })
    const last = await page.evaluate(() => {
      const told = localStorage.getItem('told')
      localStorage.removeItem('told')
      return told && JSON.parse(told)
    })
    // a killed browser has lost it, and may have kept an earlier one
    return { ...(await page.evaluate(inPage('look', argument))), last: argument.remembers && last }
  } finally {
    await page.close()
  }
}

async function kill(page, isMeant) {
  const meant = processesOf(profile).filter(isMeant)
  await page.evaluate(() => {}) // all that it has told is heard
  for (const one of meant) {
    try {
      process.kill(one.id, 'SIGKILL')
    } catch {} // it has ended with another
  }
}

const ways = {
  close: page => page.close(),
  async renderer(page) {
    const crashed = page.waitForEvent('crash', { timeout: 60_000 })
    await kill(page, ({ isRenderer }) => isRenderer)
    await crashed
    await page.close()
  },
  async browser(page) {
    const closed = new Promise(resolve => browser.context.once('close', resolve))
    await kill(page, () => true)
    await closed
    browser = undefined
  },
}

const starting = way => async (argument, hear) => {
  const page = await open()
  await page.exposeFunction('tell', hear)
  const failed = new Promise((_, reject) => {
    page.evaluate(inPage('write', argument)).catch(reject)
  })
  failed.catch(() => {}) // the page is gone
  return { failed, kill: () => ways[way](page) }
}

/** The files of pages, under names of the browser's own. */
function files() {
  const folder = join(profile, 'Default/File System')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /^\d{8}$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
}

const kinds = [
  { name: 'closed tabs', way: 'close', count: 40 },
  { name: 'killed renderers', way: 'renderer', count: 40 },
  { name: 'killed browsers', way: 'browser', count: 30 },
  { name: 'killed browsers, whose last file is cut off', way: 'browser', count: 20, cuts: true },
]
for (const [at, { name, way, count, cuts }] of kinds.entries()) {
  test(name, { skip, timeout: 1_800_000 }, async t => {
    const cut = cuts && ((random, since) => cutLast(files(), random, since))
    const isKilled = way === 'browser'
    const counts = await runRounds({
      ...given,
      expected,
      count,
      seed: 10 + at,
      start: starting(way),
      look: argument => look({ ...argument, remembers: !isKilled }),
      ...(cut && { cut }),
      slack: isKilled ? 12 : 0,
    })
    t.diagnostic(inWords(counts, count))
  })
}
