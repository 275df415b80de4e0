// Encoder-decoder models: reading a prompt, generating an answer, and the three kinds of attention.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { golden, goldenFile, goldenFloats } from '../support/golden.mjs'
import { rejectsWith, withModel } from './support.mjs'

const { tokens: source, decoder_tokens: answer } = golden('t5')
const text = 'the fox and a hen'
let model

before(async () => {
  model = await loadModel(goldenFile('t5'))
})
after(() => model.dispose())

test('info describes an encoder-decoder model', () => {
  const { generates, embeds, embedsImages, layers, encoderLayers, decoderStart } = model.info
  assert.deepEqual([generates, embeds, embedsImages], [true, true, false])
  assert.deepEqual([layers, encoderLayers, decoderStart], [1, 2, 0])
})

test('reads the prompt and generates an answer', async () => {
  const options = { maxTokens: 12, stopAtEnd: false, seed: 4, temperature: 1 }
  const { text: written, tokens, finishReason, timings } = await model.generate(text, options)
  assert.equal(finishReason, 'length')
  assert.equal(tokens.length, 12)
  assert.equal(written, tokens.map(token => token.text).join(''))
  assert.equal(timings.promptTokens, (await model.tokenize(text)).length)
  assert.equal(timings.generatedTokens, 12)
  assert.ok(timings.prefillMs > 0 && timings.decodeMs > 0)
  const again = await model.generate(text, options)
  assert.deepEqual(
    again.tokens.map(token => token.id),
    tokens.map(token => token.id),
    'the same seed',
  )
  const other = await model.generate(text, { ...options, seed: 5 })
  assert.notDeepEqual(
    other.tokens.map(token => token.id),
    tokens.map(token => token.id),
  )
})

test('rejects a prompt longer than the context', () =>
  rejectsWith('context-overflow', /\d+/, model.generate(Array(model.info.contextLength + 1).fill(5))))

test('an abort during the answer is a normal end', async () => {
  const controller = new AbortController()
  const generation = model.generate(text, { maxTokens: 200, stopAtEnd: false, signal: controller.signal })
  for await (const _ of generation) controller.abort()
  assert.equal((await generation).finishReason, 'abort')
  assert.equal((await model.generate(text, { maxTokens: 2, stopAtEnd: false })).tokens.length, 2)
})

test('each new token comes with its attention to the text, or to the answer', async () => {
  const { layers, heads } = model.info
  const length = (await model.tokenize(text)).length
  const options = { maxTokens: 5, temperature: 0, stopAtEnd: false }
  const { tokens: crossed } = await model.generate(text, { ...options, attention: { of: 'cross', heads: [1] } })
  for (const { attention } of crossed) {
    assert.deepEqual([attention.length, attention[0].length, attention[0][0].length], [layers, 1, length])
    assert.ok(Math.abs(attention[0][0].reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5)
  }
  const { tokens } = await model.generate(text, { ...options, attention: true })
  assert.deepEqual(
    tokens.map(({ attention }) => attention[0].map(row => row.length)),
    tokens.map((_, index) => Array(heads).fill(index + 1)),
  )

  const ids = [model.info.decoderStart, ...tokens.slice(0, -1).map(token => token.id)]
  const { weights } = await model.attention(ids, { of: 'cross', source: text })
  crossed.forEach(({ attention }, row) =>
    attention[0][0].forEach((weight, key) =>
      assert.ok(Math.abs(weight - weights[0][1][row * length + key]) < 1e-6, `row ${row}, key ${key}`),
    ),
  )
})

test('attention within the text, within the answer, and from the answer to the text', async () => {
  const shape = ({ tokens, keys, weights, layers }) => [tokens.length, keys.length, weights[0][0].length, layers.length]
  const [rows, columns] = [answer.length, source.length]
  const cross = await model.attention(answer, { of: 'cross', source })
  assert.deepEqual(shape(cross), [rows, columns, rows * columns, 1])
  assert.deepEqual(
    cross.tokens.map(token => token.id),
    answer,
  )
  assert.deepEqual(
    cross.keys.map(token => token.id),
    source,
  )
  assert.deepEqual(shape(await model.attention(answer, { source })), [rows, rows, rows * rows, 1])
  assert.deepEqual(shape(await model.attention(source, { of: 'encoder' })), [columns, columns, columns ** 2, 2])
  const some = await model.attention(answer, { of: 'cross', source, heads: [2] })
  assert.deepEqual(some.weights, [[cross.weights[0][2]]])
})

test("an answer given as text begins with the decoder's start token", async () => {
  const { tokens } = await model.attention('the fox', { source: text })
  assert.equal(tokens[0].id, model.info.decoderStart)
  assert.deepEqual(
    tokens.slice(1).map(token => token.id),
    await model.tokenize('the fox', { addSpecial: false }),
  )
  const plain = await model.attention('the fox', { source: text, addSpecial: false })
  assert.deepEqual(plain.tokens, tokens.slice(1))
})

test('logits of an answer to a source match the reference', async () => {
  const expected = goldenFloats('t5.f32')
  const logits = await model.logits(answer, { source, positions: 'all' })
  assert.equal(logits.length, expected.length)
  logits.forEach((logit, index) => assert.ok(Math.abs(logit - expected[index]) < 2e-2, `${logit} at ${index}`))
  assert.notDeepEqual(await model.logits(answer, { source: source.slice(3) }), logits.slice(-model.info.vocabulary))
})

test('a missing, misplaced or invalid source is an error that names it', async () => {
  await rejectsWith('invalid-argument', /logits: source: .*encoder/, model.logits(answer))
  await rejectsWith('invalid-argument', /attention: source: .*encoder/, model.attention(answer))
  await rejectsWith('invalid-argument', /attention: source: .*encoder/, model.attention(answer, { of: 'cross' }))
  await rejectsWith('invalid-argument', /attention: source: /, model.attention(answer, { of: 'encoder', source }))
  await rejectsWith('invalid-argument', /logits: source: /, model.logits(answer, { source: 5 }))
  await rejectsWith('invalid-argument', /at least one token/, model.logits(answer, { source: [] }))
  const long = Array(model.info.contextLength + 1).fill(5)
  await rejectsWith('context-overflow', /513.*512/, model.logits(answer, { source: long }))
  await withModel(undefined, {}, async decoder => {
    await rejectsWith('invalid-argument', /logits: source: /, decoder.logits([1], { source }))
    await rejectsWith('invalid-argument', /attention: source: /, decoder.attention([1], { source }))
    await rejectsWith('invalid-argument', /of: /, decoder.attention([1], { of: 'cross' }))
    await rejectsWith('invalid-argument', /of: /, decoder.attention([1], { of: 'encoder' }))
    await rejectsWith('invalid-argument', /of: /, decoder.generate([1], { attention: { of: 'cross' } }))
  })
})

test('also embeds, and still answers afterwards', async () => {
  const before = await model.logits(answer, { source })
  const [vector] = await model.embed([source], { pooling: 'mean' })
  assert.equal(vector.length, model.info.width)
  assert.deepEqual(await model.logits(answer, { source }), before)
})
