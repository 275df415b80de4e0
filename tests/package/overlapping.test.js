// Overlapping calls run together, and each gives the same result as alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { goldenFile, goldenPicture } from '../support/golden.mjs'
import { reranker } from '../support/reranker.mjs'
import { forcing, modules, rejectsWith, withModel } from './support.mjs'

const starts = [
  'Write a story about a fox and a lantern.\n',
  'Write a story about a hen.\n',
  'Once',
  'Once upon a time, there was a little owl.',
  'The lantern was old, and the fox was tired of it. The lantern',
  'A',
  'Two hens sat on a wall. Two hens sat on a',
  'Write',
]
/** Options that keep state for a text, different for each text. */
const variants = [
  {},
  { temperature: 1.2, repetitionPenalty: 1.3 },
  { temperature: 0 },
  { topLogprobs: 3 },
  { stop: ['.'] },
  { attention: { layers: [0], heads: [1] } },
  { temperature: 0, frequencyPenalty: 0.4 },
  { logitBias: { 300: 3 } },
]
const options = index => ({ maxTokens: 24, stopAtEnd: false, seed: index + 1, ...variants[index] })
const write = (model, index, extra) => model.generate(starts[index], { ...options(index), ...extra })
const withoutTimings = ({ timings: _, ...rest }) => rest

let model
let alone
before(async () => {
  model = await loadModel(undefined, { threads: 2 })
  alone = []
  for (const index of starts.keys()) alone.push(withoutTimings(await write(model, index, { speculate: 'off' })))
})
after(() => model.dispose())

for (const module of modules) {
  for (const [parallel, speculate] of [
    [8, 'off'],
    [8, 'auto'],
    [3, 'auto'],
    [1, 'auto'],
  ]) {
    test(`eight concurrent texts are the same as each alone: ${module}, parallel: ${parallel}, speculate: ${speculate}`, () =>
      withModel(undefined, { threads: 2, ...forcing(module), parallel }, async other => {
        assert.equal(other.info.parallel, parallel)
        const together = await Promise.all(starts.map((_, index) => write(other, index, { speculate })))
        assert.deepEqual(together.map(withoutTimings), alone)
      }))
  }
}

test('calls during a generation are answered meanwhile', async () => {
  const long = { maxTokens: 200, seed: 1, stopAtEnd: false }
  const { text } = await model.generate('Once', long)
  const writing = model.generate('Once', long)
  let answered
  let count = 0
  for await (const _ of writing) {
    if (++count !== 3) continue
    answered = Promise.all([write(model, 3), model.tokenize('Once'), model.logits([1, 2]), model.attention('Once')]).then(
      results => ({ results, ended: count === 200 }),
    )
  }
  const {
    results: [written],
    ended,
  } = await answered
  assert.equal(ended, false, 'only after the other text')
  assert.deepEqual(withoutTimings(written), alone[3])
  assert.equal((await writing).text, text)
})

test('logits and attention are the same during generations', async () => {
  const ids = await model.tokenize(starts[3])
  const logits = await model.logits(ids, { positions: 'all' })
  const { weights } = await model.attention(ids)
  const writing = [0, 1, 2].map(index => write(model, index))
  const reading = [0, 1, 2].flatMap(() => [model.logits(ids, { positions: 'all' }), model.attention(ids)])
  for (const [index, result] of (await Promise.all(reading)).entries()) {
    if (index % 2 === 0) assert.deepEqual(result, logits)
    else assert.deepEqual(result.weights, weights)
  }
  assert.deepEqual((await Promise.all(writing)).map(withoutTimings), alone.slice(0, 3))
})

test('aborting one text does not affect the others', async () => {
  const controller = new AbortController()
  const calls = starts.map((_, index) =>
    write(model, index, index === 4 ? { stop: [], maxTokens: 300, signal: controller.signal } : {}),
  )
  for await (const _ of calls[4]) controller.abort()
  const results = await Promise.all(calls)
  assert.equal(results[4].finishReason, 'abort')
  assert.equal(results[4].tokens.length, 1)
  for (const index of starts.keys()) if (index !== 4) assert.deepEqual(withoutTimings(results[index]), alone[index])
})

for (const parallel of [1, 2]) {
  test(`aborting a waiting text does not affect the others: parallel: ${parallel}`, () =>
    withModel(undefined, { parallel }, async narrow => {
      const controller = new AbortController()
      const long = { maxTokens: 100, stopAtEnd: false, seed: 1 }
      const first = [narrow.generate('Once', long), narrow.generate('Once', long)]
      const waiting = narrow.generate('Once', { signal: controller.signal })
      const last = narrow.generate('Once', long)
      controller.abort()
      const { finishReason, tokens } = await waiting
      assert.deepEqual([finishReason, tokens], ['abort', []])
      const texts = (await Promise.all([...first, last])).map(({ text, tokens }) => [text, tokens.length])
      assert.deepEqual(texts, Array(3).fill([texts[0][0], 100]))
    }))
}

test('with parallel: 1, calls run one after another, in order', () =>
  withModel(undefined, { parallel: 1 }, async narrow => {
    const order = []
    const note = name => value => {
      order.push(name)
      return value
    }
    const text = { maxTokens: 12, seed: 1, stopAtEnd: false }
    const [first, , ids, second] = await Promise.all([
      narrow.generate(starts[0], text).then(note('generate')),
      narrow.logits([1, 2, 3]).then(note('logits')),
      narrow.tokenize(starts[0]).then(note('tokenize')),
      narrow.generate(starts[0], text).then(note('again')),
    ])
    assert.deepEqual(order, ['generate', 'logits', 'tokenize', 'again'])
    assert.equal(first.text, second.text)
    assert.ok(ids.length > 0)
  }))

test('calls of every kind can be aborted while others continue', { timeout: 120_000 }, async () => {
  const bert = await loadModel(goldenFile('bert'))
  const vit = await loadModel(goldenFile('vit'))
  const rank = await loadModel(reranker().bytes)
  const picture = goldenPicture()
  const session = await model.session()
  const calls = {
    logits: signal => model.logits([1, 2], { positions: 'all', signal }),
    attention: signal => model.attention('Once', { signal }),
    append: signal => session.append('Once', { signal }),
    embed: signal => bert.embed(['a', 'b'], { signal }),
    rerank: signal => rank.rerank('a', ['b', 'c'], { signal }),
    embedImages: signal => vit.embedImages([picture], { signal }),
    classify: signal => vit.classify(picture, { signal }),
    imageAttention: signal => vit.imageAttention(picture, { signal }),
  }
  try {
    const writing = model.generate('Once', { maxTokens: 300, stopAtEnd: false, seed: 1 })
    for (const [name, call] of Object.entries(calls)) {
      for (let round = 0; round < 6; round++) {
        const controller = new AbortController()
        let settled = false
        const [running, other] = [
          call(controller.signal).finally(() => {
            settled = true
          }),
          call(),
        ]
        if (round % 2) await new Promise(resolve => setImmediate(resolve))
        const tooLate = settled
        controller.abort()
        if (tooLate) await running
        else await rejectsWith('aborted', /./, running)
        await other.catch(error => assert.fail(`${name}: ${error}`))
        await session.truncate(0)
      }
    }
    for (const write of [signal => model.generate('Once', { signal }), signal => session.generate('Once', { signal })]) {
      const controller = new AbortController()
      const ended = write(controller.signal)
      controller.abort()
      assert.equal((await ended).finishReason, 'abort')
    }
    assert.equal((await writing).tokens.length, 300)
  } finally {
    await Promise.all([bert, vit, rank].map(other => other.dispose()))
    await session.dispose()
  }
})

test('a common prefix is read once, whichever call read it', () =>
  withModel(undefined, {}, async fresh => {
    const shared = await fresh.tokenize('Write a story about a fox, a hen, an owl and a lantern that they found. ')
    const ask = async end => (await fresh.generate([...shared, ...end], { maxTokens: 2, stopAtEnd: false })).timings
    await fresh.logits(shared)
    const ends = [[300], [301], [302, 303], [304]]
    for (const end of ends) {
      const { promptTokens, reusedTokens } = await ask(end)
      assert.equal(promptTokens, shared.length + end.length)
      assert.equal(reusedTokens, shared.length)
    }
  }))

test('with prefixCache: 0, nothing is kept', () =>
  withModel(undefined, { prefixCache: 0 }, async fresh => {
    const ids = await fresh.tokenize(starts[0])
    const taken = []
    for (let round = 0; round < 3; round++) {
      const { timings } = await fresh.generate([...ids, 300 + round], { maxTokens: 2 })
      assert.equal(timings.reusedTokens, 0)
      taken.push((await fresh.memory()).bytes)
    }
    assert.deepEqual(taken, Array(3).fill(taken[0]))
  }))

test('by default, the cache takes at most as much memory as a text that fills the context', () =>
  withModel(undefined, {}, async fresh => {
    const taken = async () => (await fresh.memory()).bytes - fresh.info.memoryBytes
    await fresh.logits(Array(fresh.info.contextLength).fill(300))
    const ofOne = await taken()
    const { vocabulary } = fresh.info
    for (let prompt = 0; prompt < 130; prompt++) await fresh.logits([prompt % vocabulary, 300, 301, 302])
    assert.ok((await taken()) <= 2 * ofOne, `${await taken()} > 2 * ${ofOne}`) // memory grows in larger steps than its use
  }))

test('memory() reports the current size, between that after loading and the maximum', async () => {
  const { bytes, mostBytes } = await model.memory()
  assert.ok(model.info.memoryBytes > 0)
  assert.ok(bytes >= model.info.memoryBytes && bytes <= mostBytes)
  assert.equal(mostBytes, model.info.mostMemoryBytes)
  const session = await model.session()
  await session.append(starts[3])
  assert.ok((await model.memory()).bytes > model.info.memoryBytes)
  await session.dispose()
})

test('speculation does not change the text, and is reported', async () => {
  const repeating = 'One hen, two hens, one hen, two hens, one hen, two hens, one hen, two'
  for (const temperature of [0, 0.8]) {
    const options = { maxTokens: 60, temperature, seed: 3, stopAtEnd: false, repetitionPenalty: 1.05, topLogprobs: 2 }
    const plain = await model.generate(repeating, { ...options, speculate: 'off' })
    const guessed = await model.generate(repeating, { ...options, speculate: 'auto' })
    assert.deepEqual(withoutTimings(guessed), withoutTimings(plain))
    assert.deepEqual([plain.timings.guessedTokens, plain.timings.acceptedTokens], [0, 0])
    const { guessedTokens, acceptedTokens } = guessed.timings
    assert.ok(0 <= acceptedTokens && acceptedTokens <= guessedTokens)
  }
})

test('a full context continues like a new call with the kept tokens', () =>
  withModel(undefined, { contextLength: 48 }, async small => {
    const keep = 5
    const plain = { temperature: 0, stopAtEnd: false, topLogprobs: 2 }
    const prompt = await small.tokenize(starts[0])
    const { tokens, finishReason } = await small.generate(prompt, { ...plain, maxTokens: 120, contextShift: { keep } })
    assert.deepEqual([finishReason, tokens.length], ['length', 120])
    let text = prompt
    let shifts = 0
    for (let next = 0; next < tokens.length; ) {
      const room = small.info.contextLength + 1 - text.length
      const { tokens: fresh } = await small.generate(text, { ...plain, maxTokens: room })
      assert.deepEqual(tokens.slice(next, next + room), fresh.slice(0, tokens.length - next))
      next += fresh.length
      text = [...text, ...fresh.map(token => token.id)]
      text = [...text.slice(0, keep), ...text.slice(keep + Math.floor((text.length - keep) / 2))]
      shifts++
    }
    assert.ok(shifts > 2)
    await rejectsWith('invalid-argument', /contextShift/, small.generate(prompt, { contextShift: { keep: 48 } }))
  }))
