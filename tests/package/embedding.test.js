// Embeddings: the vectors of texts, in order, with each kind of pooling.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel, similarity } from 'heed'
import { golden, goldenFile, goldenFloats } from '../support/golden.mjs'
import { embeddingDecoder } from '../support/reranker.mjs'
import { rejectsWith, withModel } from './support.mjs'

const texts = ['the fox', 'a hen and the fox sing', 'owls']
const { tokens } = golden('bert')
let model

before(async () => {
  model = await loadModel(goldenFile('bert'))
})
after(() => model.dispose())

const assertNear = (values, expected, bound) => {
  assert.equal(values.length, expected.length)
  values.forEach((value, index) => assert.ok(Math.abs(value - expected[index]) < bound, `${value} at ${index}`))
}

test('info describes an encoder', () => {
  const { generates, embeds, embedsImages, layers, encoderLayers, decoderStart } = model.info
  assert.deepEqual([generates, embeds, embedsImages, decoderStart], [false, true, false, undefined])
  assert.equal(layers, encoderLayers)
  const { reranks, pooling, embeddingLength, width } = model.info
  assert.deepEqual([reranks, pooling, embeddingLength], [false, 'mean', width])
})

test('gives one vector per text, in order', async () => {
  const vectors = await model.embed(texts)
  assert.deepEqual(
    vectors.map(vector => vector.length),
    texts.map(() => model.info.width),
  )
  assert.ok(vectors.every(vector => vector instanceof Float32Array))
  for (const [index, text] of texts.entries()) assert.deepEqual((await model.embed([text]))[0], vectors[index])
  assert.notDeepEqual(vectors[0], vectors[1])
  assert.deepEqual(await model.embed([]), [])
})

test('pooling by mean, by first and last token, and none, matches the reference', async () => {
  const all = goldenFloats('bert.f32')
  const pooled = goldenFloats('bert.pooled.f32')
  const { width } = model.info
  for (const [index, pooling] of ['mean', 'cls', 'last'].entries()) {
    const [vector] = await model.embed([tokens], { pooling })
    assertNear(vector, pooled.subarray(index * width, (index + 1) * width), 5e-3)
  }
  const [none] = await model.embed([tokens], { pooling: 'none' })
  assertNear(none, all, 5e-3)
  const [byFile] = await model.embed([tokens])
  assert.deepEqual(byFile, (await model.embed([tokens], { pooling: 'mean' }))[0], 'what the file asks for')
})

test('normalizes vectors on request, of each token without pooling', async () => {
  const { width } = model.info
  const [vector] = await model.embed(texts, { normalize: true })
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  const [plain] = await model.embed(texts)
  assert.ok(Math.abs(Math.hypot(...plain) - 1) > 1e-3)
  assert.ok(Math.abs(similarity(vector, plain) - 1) < 1e-6)
  const [rows] = await model.embed(texts, { normalize: true, pooling: 'none' })
  for (let start = 0; start < rows.length; start += width) {
    assert.ok(Math.abs(Math.hypot(...rows.subarray(start, start + width)) - 1) < 1e-6)
  }
})

test('truncates vectors to the requested dimensions, then normalizes them', async () => {
  const { width } = model.info
  const whole = await model.embed(texts)
  const cut = await model.embed(texts, { dimensions: 5 })
  assert.deepEqual(
    cut,
    whole.map(vector => vector.slice(0, 5)),
  )
  assert.deepEqual(await model.embed(texts, { dimensions: width }), whole)
  for (const vector of await model.embed(texts, { dimensions: 5, normalize: true })) {
    assert.equal(vector.length, 5)
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  }
  const [rows] = await model.embed(['the fox'], { pooling: 'none' })
  const [cutRows] = await model.embed(['the fox'], { pooling: 'none', dimensions: 3 })
  assert.deepEqual(
    [...cutRows],
    [...rows].filter((_, i) => i % width < 3),
  )
  for (const dimensions of [0, -1, 1.5, '8', NaN, 2 ** 40]) {
    await rejectsWith(
      'invalid-argument',
      /embed: dimensions: expected an integer of at least 1/,
      model.embed(texts, { dimensions }),
    )
  }
  for (const dimensions of [width + 1, 2 ** 31 - 1]) {
    await rejectsWith(
      'invalid-argument',
      new RegExp(`dimensions: must be from 1 to the model's ${width}`),
      model.embed(texts, { dimensions }),
    )
  }
})

test('a decoder embeds if its file specifies the pooling', () =>
  withModel(embeddingDecoder().bytes, {}, async decoder => {
    const { generates, embeds, reranks, pooling } = decoder.info
    assert.deepEqual([generates, embeds, reranks, pooling], [false, true, false, 'last'])
    const vectors = await decoder.embed(texts)
    for (const [index, text] of texts.entries()) {
      assert.deepEqual((await decoder.embed([text], { pooling: 'last' }))[0], vectors[index])
      const [rows] = await decoder.embed([text], { pooling: 'none' })
      assert.deepEqual(rows.slice(-decoder.info.width), vectors[index])
    }
    const { of, keys, weights } = await decoder.attention('the fox')
    assert.equal(of, 'encoder')
    for (const [query] of keys.entries()) {
      // and attention is causal
      const row = weights[0][0].subarray(query * keys.length, (query + 1) * keys.length)
      assert.ok(row.slice(0, query + 1).every(weight => weight > 0) && row.slice(query + 1).every(weight => weight === 0))
    }
    await rejectsWith('unsupported', /qwen3.*does not generate text/, decoder.generate('the fox'))
  }))

test('adds special tokens unless told not to', async () => {
  const { width } = model.info
  const rows = async options => (await model.embed(['the fox'], { pooling: 'none', ...options }))[0].length / width
  const ids = await model.tokenize('the fox')
  assert.equal(await rows(), ids.length)
  assert.equal(await rows({ addSpecial: false }), ids.length - 2)
})

test('a text that is too long, or has no tokens, is an error, and the model stays usable', async () => {
  const long = Array(model.info.contextLength + 1).fill(5)
  const wrong = [
    [long, 'context-overflow', /embed: texts\[20\]: 65 .*64/],
    [[], 'invalid-argument', /embed: texts\[20\]: .*at least one token/],
    [[model.info.vocabulary], 'invalid-argument', /embed: texts\[20\]: .*vocabulary/],
    [[{ ids: [model.info.vocabulary] }], 'invalid-argument', /embed: texts\[20\]: .*vocabulary/],
  ]
  for (const [text, code, message] of wrong) {
    const failing = model.embed([...Array(20).fill('the fox'), text, long])
    await rejectsWith(code, message, failing)
    assert.equal((await failing.catch(error => error)).index, 20)
  }
  assert.equal((await model.embed(texts)).length, 3)
})

test('truncates texts that are too long, and keeps the tokens around them', async () => {
  const { contextLength } = model.info
  const long = 'the fox '.repeat(contextLength)
  const ids = await model.tokenize(long)
  assert.ok(ids.length > contextLength)
  const cut = [...ids.slice(0, contextLength - 1), ids.at(-1)]
  const [vector, list, short] = await model.embed([long, ids, 'owls'], { truncate: true })
  assert.deepEqual(vector, (await model.embed([cut]))[0])
  assert.deepEqual(list, (await model.embed([ids.slice(0, contextLength)]))[0])
  assert.deepEqual(short, (await model.embed(['owls']))[0])
  const [bare] = await model.embed([long], { truncate: true, addSpecial: false })
  assert.deepEqual(bare, (await model.embed([ids.slice(1, contextLength + 1)]))[0])
})

test('reports progress, and a callback that throws fails its own call', async () => {
  const told = []
  const vectors = await model.embed(Array(30).fill('the fox'), { onProgress: progress => told.push(progress) })
  assert.equal(vectors.length, 30)
  assert.ok(told.length > 1)
  assert.deepEqual(told.at(-1), { done: 30, total: 30 })
  assert.deepEqual(
    told.map(({ done }) => done),
    told.map(({ done }) => done).toSorted((a, b) => a - b),
  )
  const onProgress = () => {
    throw new Error('enough')
  }
  await rejectsWith('invalid-argument', /onProgress failed: enough/, model.embed(texts, { onProgress }))
  assert.deepEqual((await model.embed(['the fox']))[0], vectors[0])
})

test('rejects what is not a list of texts', async () => {
  await rejectsWith('invalid-argument', /embed.*array/, model.embed('the fox'))
  await rejectsWith('invalid-argument', /embed/, model.embed([5]))
  await rejectsWith('invalid-argument', /embed.*token id/, model.embed([[1.5]]))
})

test('can be aborted, and the model stays usable', async () => {
  const controller = new AbortController()
  const many = Array(20_000).fill(tokens)
  setTimeout(() => controller.abort(), 5)
  await rejectsWith('aborted', /./, model.embed(many, { signal: controller.signal }))
  await rejectsWith('aborted', /./, model.embed(texts, { signal: AbortSignal.abort() }))
  assert.equal((await model.embed(texts)).length, 3)
})

test('a decoder does not embed, and an encoder does not generate', async () => {
  await withModel(undefined, {}, decoder => rejectsWith('unsupported', /llama.*no encoder/, decoder.embed(texts)))
  await rejectsWith('unsupported', /bert.*does not generate text/, model.generate('the fox'))
  await rejectsWith('unsupported', /bert.*does not generate text/, model.logits(tokens))
  await rejectsWith('invalid-argument', /of: /, model.attention(tokens, { of: 'decoder' }))
  await rejectsWith('unsupported', /bert.*images/, model.imageAttention({ width: 1, height: 1, data: new Uint8Array(4) }))
})

test('T5 embeds with its encoder', () =>
  withModel(goldenFile('t5encoder'), {}, async encoder => {
    const [mean] = await encoder.embed([golden('t5encoder').tokens], { pooling: 'mean' })
    assertNear(mean, goldenFloats('t5encoder.pooled.f32').subarray(0, encoder.info.width), 5e-3)
  }))

test('similarity is the cosine similarity', () => {
  assert.equal(similarity([1, 0], [0, 2]), 0)
  assert.equal(similarity(Float32Array.of(3, 4), [6, 8]), 1)
  assert.equal(similarity([1, 1], [-2, -2]).toFixed(12), '-1.000000000000')
  assert.equal(similarity([0, 0], [1, 1]), 0)
  return rejectsWith('invalid-argument', /similarity: 2 .* 3/, () => similarity([1, 2], [1, 2, 3]))
})
