// One model for all tabs of a site: the first one runs it; when it goes, another does, and nothing changes but the time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defaultModelBytes } from '../package/support.mjs'
import { startHub } from '../support/hub/index.mjs'
import { browserName, useBrowser } from './support.mjs'

const { sites, inPage, openPage } = useBrowser()
const keepsFiles = { skip: browserName === 'webkit' && 'WebKitGTK keeps no files for pages' }
const prompt = 'Once upon a time, there was a little fox'
const asked = { maxTokens: 400, seed: 5, stopAtEnd: false }

let hub, load
before(async () => {
  hub = await startHub({ 'heed/stories': { 'stories-Q8_0.gguf': defaultModelBytes() } })
  load = { hub: { endpoint: hub.endpoint }, cache: true, shared: true }
})
after(() => hub.close())

/** The answer of a model of a tab's own. */
const alone = () =>
  inPage(
    sites.isolated,
    async ({ prompt, asked }) => {
      const model = await heed.loadModel()
      if (model.runsIn !== undefined) throw new Error(`not shared, but runs in ${model.runsIn}`)
      const { tokens, text } = await model.generate(prompt, asked)
      return { ids: tokens.map(({ id }) => id), text }
    },
    { prompt, asked },
  )

/** Opens tabs that have loaded the model, in their order: the first one serves. */
async function openTabs(count, options = load) {
  const tabs = []
  for (let at = 0; at < count; at++) {
    const tab = await openPage(sites.isolated)
    await tab.evaluate(async options => {
      globalThis.model = await heed.loadModel('hf:heed/stories:Q8_0', options)
    }, options)
    tabs.push(tab)
  }
  return tabs
}

/** Whether a tab has an engine of its own. */
const serves = tab =>
  tab.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('heed-worker.js')))

const runsIn = tab => tab.evaluate(() => globalThis.model.runsIn)

/** Begins to generate, and resolves once there are some tokens; `finish` resolves to the ids and the text. `pause`: the longest, in ms. */
const begin = (tab, count = 5) =>
  tab.evaluate(
    ({ prompt, asked, count }) =>
      new Promise(resolve => {
        const generation = globalThis.model.generate(prompt, asked)
        globalThis.written = (async () => {
          const ids = []
          let last = Infinity
          globalThis.pause = 0
          for await (const { id } of generation) {
            ids.push(id)
            globalThis.pause = Math.max(globalThis.pause, performance.now() - last)
            last = performance.now()
            if (ids.length === count) resolve()
          }
          return { ids, text: (await generation).text }
        })().finally(resolve)
      }),
    { prompt, asked, count },
  )
const finish = tab => tab.evaluate(() => globalThis.written)

test('five tabs share one engine; each time that it is closed, another takes over, and answers go on', {
  ...keepsFiles,
  timeout: 300_000,
}, async t => {
  const expected = await alone()
  let tabs = await openTabs(5)
  try {
    assert.deepEqual(await Promise.all(tabs.map(serves)), [true, false, false, false, false])
    const [first, ...others] = await Promise.all(tabs.map(runsIn))
    assert.deepEqual([first, new Set(others)], ['this-tab', new Set(['another-tab'])])
    while (tabs.length > 1) {
      await Promise.all(tabs.map(tab => begin(tab)))
      const [first, ...others] = tabs
      tabs = others
      await first.close()
      assert.deepEqual(
        await Promise.all(others.map(finish)),
        others.map(() => expected),
      )
      const pauses = await Promise.all(others.map(tab => tab.evaluate(() => Math.round(globalThis.pause))))
      t.diagnostic(`${others.length} answers went on after at most ${Math.max(...pauses)} ms`)
      // on a busy machine, the answers may have ended before the tab was closed: this needs the engine that follows
      await Promise.all(others.map(tab => tab.evaluate(() => globalThis.model.tokenize('a'))))
      const serving = await Promise.all(others.map(serves))
      assert.equal(serving.filter(Boolean).length, 1)
      assert.deepEqual(
        await Promise.all(others.map(runsIn)),
        serving.map(here => (here ? 'this-tab' : 'another-tab')),
      )
    }
    await begin(tabs[0])
    assert.deepEqual(await finish(tabs[0]), expected)
  } finally {
    for (const tab of tabs) await tab.close()
  }
})

test('sessions belong to their tab, and go on', keepsFiles, async () => {
  const tabs = await openTabs(3)
  try {
    for (const [at, tab] of tabs.entries())
      await tab.evaluate(
        async ({ prompt, at }) => {
          globalThis.session = await globalThis.model.session()
          await globalThis.session.append(prompt)
          await globalThis.session.append(` ${at}`)
          globalThis.fork = await globalThis.session.fork()
          await globalThis.session.truncate(globalThis.session.length - 2)
        },
        { prompt, at },
      )
    const lengths = await Promise.all(tabs.map(tab => tab.evaluate(() => [globalThis.session.length, globalThis.fork.length])))
    await tabs.shift().close()
    const go = tab =>
      tab.evaluate(async () => {
        const { text } = await globalThis.session.generate('', { maxTokens: 10, seed: 3 })
        const other = await globalThis.fork.generate('', { maxTokens: 10, seed: 3 })
        return { text, other: other.text, length: globalThis.session.length, read: other.timings.reusedTokens }
      })
    const [first, second] = await Promise.all(tabs.map(go))
    const whole = await inPage(
      sites.isolated,
      async ({ prompt }) => {
        const model = await heed.loadModel()
        const ids = [...(await model.tokenize(prompt)), ...(await model.tokenize(' 1', { addSpecial: false }))]
        const cut = await model.generate(ids.slice(0, -2), { maxTokens: 10, seed: 3 })
        return { text: cut.text, other: (await model.generate(ids, { maxTokens: 10, seed: 3 })).text }
      },
      { prompt },
    )
    assert.equal(first.text, whole.text)
    assert.equal(first.other, whole.other)
    assert.ok(first.read >= lengths[1][1] - 1)
    assert.equal(second.text, first.text) // the same beginning
    assert.equal(second.length, lengths[2][0] + 10)
  } finally {
    for (const tab of tabs) await tab.close()
  }
})

test('takes turns between tabs', keepsFiles, async () => {
  const expected = await alone()
  const tabs = await openTabs(2, { ...load, parallel: 2 })
  try {
    const [many, one] = tabs
    await many.evaluate(
      ({ prompt, asked }) => {
        globalThis.ended = 0
        globalThis.all = Promise.all(
          Array.from({ length: 12 }, async (_, seed) => {
            await globalThis.model.generate(prompt, { ...asked, seed })
            return ++globalThis.ended
          }),
        )
      },
      { prompt, asked },
    )
    await begin(one)
    assert.deepEqual(await finish(one), expected)
    const ended = await many.evaluate(() => globalThis.ended)
    assert.ok(ended <= 6, `${ended} of 12 had ended`)
    assert.equal(await many.evaluate(async () => (await globalThis.all).length), 12)
  } finally {
    for (const tab of tabs) await tab.close()
  }
})

test('chats, aborts, adapters of the same name, and a tab that leaves', keepsFiles, async () => {
  const tabs = await openTabs(3)
  try {
    const ask = tab =>
      tab.evaluate(
        async () => (await globalThis.model.chat([{ role: 'user', content: 'A fox?' }], { seed: 1, maxTokens: 8 })).message.content,
      )
    const answers = await Promise.all(tabs.map(ask))
    assert.equal(new Set(answers).size, 1)
    const aborted = await tabs[1].evaluate(async prompt => {
      const stop = new AbortController()
      const generation = globalThis.model.generate(prompt, { maxTokens: 500, stopAtEnd: false, signal: stop.signal })
      for await (const _ of generation) stop.abort()
      return (await generation).finishReason
    }, prompt)
    assert.equal(aborted, 'abort')
    for (const tab of tabs) {
      const error = await tab.evaluate(() => describe(globalThis.model.loadAdapter('a', new Uint8Array(64))))
      assert.equal(error.code, 'invalid-file')
      assert.doesNotMatch(error.message, /\uf8ff/)
      const missing = await tab.evaluate(() => describe(globalThis.model.generate('x', { adapters: { b: 1 } }).result))
      assert.match(missing.message, /adapters: "b" has not been loaded/)
    }
    await tabs[0].evaluate(() => globalThis.model.dispose()) // its page stays
    assert.equal(await ask(tabs[1]), answers[0])
    assert.equal((await tabs[0].evaluate(() => describe(globalThis.model.generate('x').result))).code, 'disposed')
    assert.equal(await tabs[0].evaluate(() => globalThis.model.runsIn === undefined), true)
    await tabs[0].evaluate(async options => {
      globalThis.model = await heed.loadModel('hf:heed/stories:Q8_0', options)
    }, load)
    assert.equal(await ask(tabs[0]), answers[0])
    await tabs[2].evaluate(() => globalThis.model.dispose())
    assert.equal(await ask(tabs[1]), answers[0])
  } finally {
    for (const tab of tabs) await tab.close()
  }
})

test('what cannot go on fails with an error that says so', keepsFiles, async () => {
  const tabs = await openTabs(2, { ...load, cache: false, contextLength: 200 })
  try {
    await inPage(sites.isolated, () => heed.modelStore.clear())
    hub.put('heed/stories', 'stories-Q8_0.gguf', Buffer.from('not a model any more'))
    // one text after another, so that however fast the machine is, one is being written when the tab closes
    await tabs[1].evaluate(prompt => {
      const writeOn = async () => {
        for (;;) await globalThis.model.generate(prompt, { maxTokens: 900, stopAtEnd: false }).result
      }
      globalThis.failure = describe(writeOn())
    }, prompt)
    await tabs.shift().close()
    const error = await tabs[0].evaluate(() => globalThis.failure)
    assert.deepEqual([error.heed, error.code], [true, 'moved'])
    assert.match(error.message, /^The tab that ran the model was closed: /)
  } finally {
    for (const tab of tabs) await tab.close()
    hub.put('heed/stories', 'stories-Q8_0.gguf', defaultModelBytes())
  }
})

test('files without an address are not shared', async () => {
  const error = await inPage(sites.isolated, () => describe(heed.loadModel(new Blob(['x']), { shared: true })))
  assert.deepEqual([error.heed, error.code], [true, 'invalid-argument'])
  assert.match(error.message, /shared/)
})
