// A model that keeps what it reads, in a page: after a reload and in another tab it is there again, and an answer whose tab was closed, or
// whose renderer was killed, goes on. No text is ever wrong.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { randomFrom } from '../store/support.mjs'
import { browserName, useBrowser } from './support.mjs'

const { sites, inPage, openPage } = useBrowser()
const keepsFiles = { skip: browserName === 'webkit' && 'WebKitGTK keeps no files for pages' }
const prompt = 'Once upon a time, there was a little fox who lived in a deep, dark wood. '.repeat(5)
const asked = { maxTokens: 400, seed: 5, stopAtEnd: false }
const input = { prompt, asked }

beforeEach(() => inPage(sites.isolated, () => heed.modelStore.clearKept()))

/** Loads the model in a page and writes; `keep`: whether it keeps what it reads. */
const write = async ({ prompt, asked, keep = true }) => {
  const model = await heed.loadModel(undefined, { keep })
  const { text, timings } = await model.generate(prompt, asked)
  return { text, promptTokens: timings.promptTokens, reusedTokens: timings.reusedTokens }
}

test(
  'a prompt is there again in another tab and after a reload; the page can say how much is kept, and delete it',
  keepsFiles,
  async () => {
    const first = await inPage(sites.isolated, write, input)
    assert.equal(first.reusedTokens, 0)
    const again = await inPage(sites.isolated, write, input)
    assert.deepEqual([again.text, again.reusedTokens >= first.promptTokens - 1], [first.text, true])
    const sizes = await inPage(sites.isolated, async () => {
      const { kept } = await heed.modelStore.estimate()
      await heed.modelStore.clearKept()
      return [kept, (await heed.modelStore.estimate()).kept]
    })
    assert.ok(sizes[0] > 10_000)
    assert.equal(sizes[1], 0)
    assert.equal((await inPage(sites.isolated, write, input)).reusedTokens, 0)
  },
)

test('two tabs keep at once, and read what the other has kept', keepsFiles, async () => {
  const tabs = [await openPage(sites.isolated), await openPage(sites.isolated)]
  try {
    const written = await Promise.all(
      tabs.map((tab, at) => tab.evaluate(write, { ...input, prompt: at === 0 ? prompt : prompt.replaceAll('fox', 'bear') })),
    )
    const crossed = await Promise.all(
      tabs.map((tab, at) => tab.evaluate(write, { ...input, prompt: at === 1 ? prompt : prompt.replaceAll('fox', 'bear') })),
    )
    for (const [at, { text, reusedTokens, promptTokens }] of crossed.entries()) {
      assert.equal(text, written[1 - at].text)
      assert.ok(reusedTokens >= promptTokens - 1)
    }
  } finally {
    for (const tab of tabs) await tab.close()
  }
})

test('answers go on after closed tabs and killed renderers, at random moments, with the same text', {
  skip: browserName !== 'chromium' && 'renderers are killed by an address of Chromium',
  timeout: 600_000,
}, async t => {
  const random = randomFrom(8)
  const browser = await startChromium()
  t.after(() => browser.close())
  const open = async () => {
    const page = await browser.open(sites.isolated.url)
    await page.waitForFunction(() => globalThis.heed, undefined, { timeout: 20_000 })
    return page
  }
  const inTab = async (body, argument) => {
    const page = await open()
    try {
      return await page.evaluate(body, argument)
    } finally {
      await page.close()
    }
  }
  const expected = (await inTab(write, { ...input, keep: false })).text
  const counts = { unfinished: 0, written: 0 }
  for (let round = 0; round < 8; round++) {
    const tab = await open()
    await tab.evaluate(
      ({ prompt, asked, count }) =>
        new Promise(resolve => {
          void (async () => {
            const model = await heed.loadModel(undefined, { keep: true })
            let left = count
            if (left === 0) resolve()
            for await (const _ of model.generate(prompt, asked)) if (--left <= 0) resolve()
          })()
        }),
      { prompt, asked, count: Math.floor(random() * 40) },
    )
    await setTimeout(random() * 20) // anywhere in a token, or in the prompt
    if (round % 2 === 1) await tab.goto('chrome://crash', { timeout: 5000 }).catch(() => {})
    await tab.close()
    const found = await inTab(async ({ prompt, asked }) => {
      const model = await heed.loadModel(undefined, { keep: true })
      // A closed tab is gone a little later.
      const answers = await model.unfinished()
      const texts = answers.map(({ text }) => text)
      const whole = []
      for (const answer of answers) whole.push((await answer.continue()).text)
      return { texts, whole, left: (await model.unfinished()).length, text: (await model.generate(prompt, asked)).text }
    }, input)
    for (const text of found.texts) assert.ok(expected.startsWith(text))
    for (const text of found.whole) assert.equal(text, expected)
    assert.equal(found.text, expected)
    counts.unfinished += found.texts.length
    counts.written += found.texts.join('').length
    if (round === 3) await inTab(() => heed.modelStore.clearKept())
  }
  t.diagnostic(`${counts.unfinished} of 8 answers went on, after ${counts.written} characters`)
  assert.ok(counts.unfinished > 0 && counts.written > 0)
})

test('what a model takes is told from its header, and its metadata is read again', async () => {
  const { fit, memory, metadata, vocabulary } = await inPage(sites.isolated, async () => {
    const fit = await heed.modelStore.fits(undefined, { contextLength: 200 })
    const model = await heed.loadModel(undefined, { contextLength: 200 })
    return {
      fit,
      memory: await model.memory(),
      metadata: await model.metadata(),
      vocabulary: model.info.vocabulary,
    }
  })
  assert.deepEqual([fit.fits, fit.memory.bytes, fit.memory.limit], [true, memory.bytes, memory.mostBytes])
  assert.ok(fit.tokensPerSecond.writing > 0 && fit.tokensPerSecond.reading > 0)
  assert.equal(metadata['tokenizer.ggml.tokens'].value.length, vocabulary)
})
