// The tab that runs a shared model is closed a hundred times while others write: each text is right, or there is one typed error, and the next
// call works soon. What a further tab takes.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { serveSite } from '../browser/site.mjs'
import { randomFrom } from '../store/support.mjs'
import { proportionalMemory } from '../../tools/browsers/processes.mjs'
import { expectedAnswers, startSource } from './rounds.mjs'
import { calls } from './writing.mjs'

const closings = 100
const megabyte = 2 ** 20
let hub, source, load, expected, site, browser
before(async () => {
  const started = await startSource()
  ;({ hub, source } = started)
  load = { ...started.load, keep: false, shared: true, threads: 2 }
  expected = await expectedAnswers()
  site = await serveSite({ isolated: true })
})
after(async () => {
  await site?.close()
  await hub?.close()
})

async function openEmpty() {
  const tab = await browser.open(site.url)
  await tab.waitForFunction(() => globalThis.heed, undefined, { timeout: 60_000 })
  return tab
}
const loadIn = tab =>
  tab.evaluate(
    async ([source, load]) => {
      globalThis.model = await heed.loadModel(source, load)
    },
    [source, load],
  )
async function openTab() {
  const tab = await openEmpty()
  await loadIn(tab)
  return tab
}

/** Begins to write; resolves once there are some tokens. */
const begin = (tab, { prompt, options }, count) =>
  tab.evaluate(
    ({ prompt, options, count }) =>
      new Promise(resolve => {
        const generation = globalThis.model.generate(prompt, options)
        globalThis.outcome = (async () => {
          try {
            let left = count
            for await (const _ of generation) if (--left === 0) resolve()
            return { text: (await generation).text }
          } catch ({ code, message }) {
            return { code, message }
          }
        })().finally(resolve)
      }),
    { prompt, options, count },
  )

/** Makes a call; resolves to the milliseconds that it takes. */
const next = tab =>
  tab.evaluate(async () => {
    const start = performance.now()
    await globalThis.model.generate('The fox', { maxTokens: 1, seed: 1 })
    return performance.now() - start
  })

const sorted = numbers => [...numbers].sort((a, b) => a - b)
const figures = numbers => {
  const all = sorted(numbers).map(Math.round)
  const soon = all.filter(ms => ms <= 1000).length
  return `median ${all[all.length >> 1]} ms, maximum ${all.at(-1)} ms, ${soon} of ${all.length} within 1 s`
}

test(`the tab that serves is closed ${closings} times while others write`, { timeout: 1_800_000 }, async t => {
  const random = randomFrom(4)
  browser = await startChromium()
  t.after(() => browser.close())
  const asked = calls.filter(({ kind }) => kind === 'prompt')
  let tabs = []
  for (let at = 0; at < 4; at++) tabs.push(await openTab())
  const counts = { right: 0, moved: 0 }
  const waits = []
  for (let closing = 0; closing < closings; closing++) {
    const theirs = tabs.slice(1).map(tab => ({ tab, call: asked[Math.floor(random() * asked.length)] }))
    await Promise.all(theirs.map(({ tab, call }) => begin(tab, call, 1 + Math.floor(random() * 30))))
    await tabs[0].close()
    tabs = tabs.slice(1)
    waits.push(await next(tabs[Math.floor(random() * tabs.length)]))
    for (const { tab, call } of theirs) {
      const { text, code, message } = await tab.evaluate(() => globalThis.outcome)
      if (code) {
        assert.equal(code, 'moved', message)
        counts.moved++
      } else {
        assert.equal(text, expected.get(call.options.seed).text)
        counts.right++
      }
    }
    tabs.push(await openTab())
  }
  t.diagnostic(`${counts.right} texts were right, ${counts.moved} ended with the error moved`)
  t.diagnostic(`the next call took: ${figures(waits)} (a load of ${loadavg()[0].toFixed(1)})`)
  for (const tab of tabs) await tab.close()
  assert.equal(counts.right + counts.moved, closings * 3)
})

test('a sixth tab takes at most 40 MB', { timeout: 600_000 }, async t => {
  const profile = mkdtempSync(join(tmpdir(), 'heed-kills-'))
  browser = await startChromium({ profile, name: 'whole chromium' }) // the headless shell gives no account
  t.after(async () => {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  })
  const tabs = []
  try {
    for (let at = 0; at < 5; at++) tabs.push(await openTab())
    const before = proportionalMemory(profile)
    const sixth = await openEmpty()
    tabs.push(sixth)
    const empty = proportionalMemory(profile)
    await loadIn(sixth)
    await begin(sixth, calls[0], 20)
    assert.equal((await sixth.evaluate(() => globalThis.outcome)).text, expected.get(calls[0].options.seed).text)
    const after = proportionalMemory(profile)
    const [{ bytes }, first] = await Promise.all(
      [sixth, tabs[0]].map(tab => tab.evaluate(() => performance.measureUserAgentSpecificMemory())),
    )
    const inMegabytes = bytes => (bytes / megabyte).toFixed(1)
    t.diagnostic(
      `the sixth tab: ${inMegabytes(bytes)} MB by Chromium's account, the one that serves: ${inMegabytes(first.bytes)} MB`,
    )
    t.diagnostic(
      `all processes: ${inMegabytes(empty - before)} MB more with the empty tab, ${inMegabytes(after - empty)} MB more with the model`,
    )
    assert.ok(bytes <= 40 * megabyte, `${bytes} bytes`)
  } finally {
    for (const tab of tabs) await tab.close()
  }
})
