// The progress of reading a prompt, as `onProgress` of generate, chat and append reports it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { goldenFile } from '../support/golden.mjs'
import { rejectsWith, withModel } from './support.mjs'

const long = 'The fox hid a bell in the cave. '.repeat(60)
const short = { temperature: 0, maxTokens: 2 }
const greedy = { ...short, stopAtEnd: false }
let model
before(async () => {
  model = await loadModel(undefined, { threads: 2 })
})
after(() => model.dispose())

/** The progress reports of a call, in order, and whether a token preceded the last of them. */
async function reports(call) {
  const told = []
  const result = await call(progress => told.push(progress))
  return { told, result }
}

/** Checks that it rises to all of the prompt. */
function assertRises(told, total, from = 0) {
  assert.ok(
    told.every(progress => progress.total === total),
    JSON.stringify(told),
  )
  const done = told.map(progress => progress.done)
  assert.deepEqual(
    done,
    [...new Set(done)].sort((a, b) => a - b),
  )
  assert.ok(done[0] > from)
  assert.equal(done.at(-1), total)
}

test('generate says after each pass how much it has read, and all of it before the first token', async () => {
  const { length } = await model.tokenize(long)
  assert.ok(length > 3 * 128, `${length}`)
  const events = []
  const generation = model.generate(long, { ...greedy, onProgress: ({ done, total }) => events.push(`${done} of ${total}`) })
  for await (const { id } of generation) events.push(id)
  const { tokens, timings } = await generation
  assert.equal(timings.promptTokens, length)
  const told = events.filter(event => typeof event === 'string')
  assert.ok(told.length >= Math.ceil(length / 128), `${told}`)
  assert.equal(told.at(-1), `${length} of ${length}`)
  assert.deepEqual(
    events.slice(told.length),
    tokens.map(({ id }) => id),
  )
})

test('reused tokens count as read', async () => {
  const begun = `${long} Then it slept.`
  await model.generate(begun, greedy)
  const { told, result } = await reports(onProgress => model.generate(`${begun} And then`, { ...greedy, onProgress }))
  assert.ok(result.timings.reusedTokens > 0)
  assertRises(told, result.timings.promptTokens, result.timings.reusedTokens)
})

test('a chat says it of each prompt', async () => {
  const { told, result } = await reports(onProgress =>
    model.chat([{ role: 'user', content: `${long} Who hid the bell?` }], { ...short, onProgress }),
  )
  assertRises(told, result.usage.promptTokens)
})

test('a session says it of its whole text, also when it only appends', async () => {
  const session = await model.session()
  const appended = await reports(onProgress => session.append(long, { onProgress }))
  assertRises(appended.told, session.length)
  const held = session.length
  const { told, result } = await reports(onProgress => session.generate(long.slice(0, 900), { ...greedy, onProgress }))
  assertRises(told, result.timings.promptTokens, held - 1)
  assert.ok(result.timings.promptTokens > held)
  await session.dispose()
})

test('texts that are read at the same time each hear of their own', async () => {
  const prompts = [long, `A ${long}`, `Once ${long} ${long.slice(0, 500)}`]
  const all = await Promise.all(prompts.map(prompt => reports(onProgress => model.generate(prompt, { ...greedy, onProgress }))))
  for (const { told, result } of all) assertRises(told, result.timings.promptTokens)
})

test('an aborted text says no more', async () => {
  const stop = new AbortController()
  const told = []
  const { finishReason } = await model.generate(`Twice ${long}`, {
    ...greedy,
    signal: stop.signal,
    onProgress(progress) {
      told.push(progress)
      stop.abort()
    },
  })
  assert.equal(finishReason, 'abort')
  assert.equal(told.length, 1)
})

test('a context that shifts reads again without saying so', () =>
  withModel(undefined, { contextLength: 160 }, async small => {
    const prompt = (await small.tokenize(long)).slice(0, 140)
    const { told, result } = await reports(onProgress =>
      small.generate(prompt, { ...greedy, maxTokens: 120, contextShift: { keep: 4 }, onProgress }),
    )
    assert.equal(result.tokens.length, 120)
    assertRises(told, 140)
  }))

test('an encoder reads its text as a whole', () =>
  withModel(goldenFile('t5'), {}, async small => {
    const { told, result } = await reports(onProgress => small.generate('a fox and a bell', { ...greedy, onProgress }))
    assert.deepEqual(told, [{ done: result.timings.promptTokens, total: result.timings.promptTokens }])
  }))

test('a callback that throws ends the text', async () => {
  const fails = {
    ...short,
    onProgress() {
      throw new Error('not now')
    },
  }
  await rejectsWith('invalid-argument', /onProgress.*not now/, () => model.generate(`Thrice ${long}`, fails))
  await rejectsWith('invalid-argument', /onProgress.*not now/, () => model.chat([{ role: 'user', content: long }], fails))
})
