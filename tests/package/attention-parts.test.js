// The parts of attention weights, and the norms of values, in every kind of family.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { golden, goldenBytes, goldenNames } from '../support/golden.mjs'
import { rejectsWith } from './support.mjs'

/** Softmax in double precision, with a sink. */
function softmax(scores, sink) {
  const exps = [...scores].map(Math.exp)
  const sum = exps.reduce((sum, exp) => sum + exp, sink === undefined ? 0 : Math.exp(sink))
  return exps.map(exp => exp / sum)
}

/** Throws unless the parts of a query yield its row of weights and match their documentation. */
function checkParts(parts, row, name) {
  const { from, to, queryVector, keyVectors, dots, scores, weights, scale, softCap, bias, sink } = parts
  assert.equal(keyVectors.length, to - from)
  assert.deepEqual([...weights], [...row.subarray(from, to)], name)
  assert.ok(
    row.every((weight, key) => (key >= from && key < to) || weight === 0),
    `${name}: what is masked has no weight`,
  )
  for (const [i, key] of keyVectors.entries()) {
    const dot = key.reduce((sum, value, k) => sum + value * queryVector[k], 0)
    const scaled = dot * scale
    const score = (softCap === undefined ? scaled : softCap * Math.tanh(scaled / softCap)) + (bias?.[i] ?? 0)
    assert.ok(Math.abs(dots[i] - dot) < 1e-9 && Math.abs(scores[i] - score) < 1e-9, `${name}: the steps`)
  }
  for (const [i, weight] of softmax(scores, sink).entries())
    assert.ok(Math.abs(weight - weights[i]) < 2e-5, `${name}: key ${from + i}`)
}

/** The families whose parts differ, and which of the optional parts each has. */
const families = {
  'llama-gqa': [],
  gemma2: ['softCap'],
  gemma3: [],
  'gpt-oss': ['sink'],
  bloom: ['bias'],
  gpt2: [],
  'falcon-new': [],
  'deepseek2-lite': [],
  'deepseek2-lite-mla': [],
  qwen3: [],
}

for (const [name, optional] of Object.entries(families)) {
  test(`${name}: the softmax of the scores is the weights`, async () => {
    const model = await loadModel(goldenBytes(name), { kvCache: 'f32', threads: 1 })
    const { tokens } = golden(name)
    const { weights } = await model.attention(tokens)
    for (let layer = 0; layer < model.info.layers; layer++) {
      const head = layer % model.info.heads,
        query = tokens.length - 1 - (layer % tokens.length)
      const parts = await model.attentionParts(tokens, { layer, head, query })
      assert.deepEqual([parts.layer, parts.head, parts.query, parts.of], [layer, head, query, 'decoder'])
      assert.equal(parts.tokens.length, tokens.length)
      checkParts(
        parts,
        weights[layer][head].subarray(query * tokens.length, (query + 1) * tokens.length),
        `${name}, layer ${layer}`,
      )
      assert.deepEqual(
        ['softCap', 'sink', 'bias'].filter(part => parts[part] !== undefined),
        optional,
      )
    }
    await model.dispose()
  })
}

test('encoders and encoder-decoders: their parts, too, and norms of their values', async () => {
  const bert = await loadModel(goldenBytes('bert'), { kvCache: 'f32' })
  const text = [2, 30, 40, 50, 60, 3]
  const {
    weights: [[, second]],
  } = await bert.attention(text, { layers: [1] })
  const parts = await bert.attentionParts(text, { layer: 1, head: 1, query: -2 })
  assert.deepEqual([parts.of, parts.query, parts.from, parts.to], ['encoder', 4, 0, 6])
  checkParts(parts, second.subarray(4 * 6, 5 * 6), 'bert')
  const { norms, layers } = await bert.valueNorms(text, { layers: [1] })
  assert.deepEqual(layers, [1])
  assert.ok(norms[0].length === bert.info.heads && norms[0].every(head => head.length === 6 && head.every(norm => norm > 0)))
  await bert.dispose()

  const t5 = await loadModel(goldenBytes('t5-relu'), { kvCache: 'f32' })
  const source = [5, 6, 7, 1],
    answer = [t5.info.decoderStart, 9, 10]
  for (const [of, given, rows, keys] of [
    ['encoder', {}, source, source],
    ['decoder', { source }, answer, answer],
    ['cross', { source }, answer, source],
  ]) {
    const {
      weights: [[head]],
    } = await t5.attention(rows, { of, layers: [0], heads: [1], ...given })
    const query = rows.length - 1
    const shown = await t5.attentionParts(rows, { of, layer: 0, head: 1, ...given })
    assert.equal(shown.bias !== undefined, of !== 'cross', of)
    checkParts(shown, head.subarray(query * keys.length, (query + 1) * keys.length), of)
  }
  assert.equal((await t5.valueNorms(answer, { of: 'decoder', source })).norms[0][0].length, 3)
  await rejectsWith('invalid-argument', /attentionParts: source: required/, t5.attentionParts(answer, { layer: 0, head: 0 }))
  await t5.dispose()
})

test('a longer text: several passes, chunks and types of cache give the same parts', async () => {
  const model = await loadModel(goldenBytes('llama-gqa'), { kvCache: 'f32' })
  const text = Array.from({ length: 300 }, (_, i) => 3 + ((i * 7) % 60))
  for (const query of [127, 128, 255, 256, 299]) {
    const {
      weights: [[head]],
    } = await model.attention(text, { layers: [1], heads: [0] })
    checkParts(
      await model.attentionParts(text, { layer: 1, head: 0, query }),
      head.subarray(query * 300, (query + 1) * 300),
      `query ${query}`,
    )
  }
  const {
    norms: [exact],
  } = await model.valueNorms(text, { layers: [1] })
  const {
    norms: [start],
  } = await model.valueNorms(text.slice(0, 50), { layers: [1] })
  for (const [head, norms] of start.entries()) assert.deepEqual([...norms], [...exact[head].subarray(0, 50)])
  await model.dispose()
  for (const kvCache of ['f16', 'int16', 'q8']) {
    const other = await loadModel(goldenBytes('llama-gqa'), { kvCache })
    const {
      norms: [rounded],
    } = await other.valueNorms(text, { layers: [1] })
    for (const [head, norms] of rounded.entries()) {
      norms.forEach((norm, key) => assert.ok(Math.abs(norm / exact[head][key] - 1) < (kvCache === 'q8' ? 0.06 : 2e-3), kvCache))
    }
    const parts = await other.attentionParts(text, { layer: 1, head: 0 })
    const expected = softmax(parts.scores)
    parts.weights.forEach((weight, i) => assert.ok(Math.abs(weight - expected[i]) < 1e-3, kvCache))
    await other.dispose()
  }
})

test('layers without attention have no parts, and impossible requests are errors', async () => {
  assert.ok(goldenNames.includes('lfm2'))
  const lfm2 = await loadModel(goldenBytes('lfm2'))
  const { weights } = await lfm2.attention([1, 2, 3])
  const silent = weights.findIndex(layer => layer[0].every(weight => weight === 0))
  const parts = await lfm2.attentionParts([1, 2, 3], { layer: silent, head: 0 })
  assert.deepEqual([parts.from, parts.to, parts.keyVectors.length, parts.weights.length], [0, 0, 0, 0])
  assert.ok((await lfm2.valueNorms([1, 2, 3], { layers: [silent] })).norms[0].every(head => head.every(norm => norm === 0)))
  await lfm2.dispose()

  const model = await loadModel()
  const rejects = (message, options) => rejectsWith('invalid-argument', message, model.attentionParts('Once', options))
  await rejects(/layers: 99 is out of range/, { layer: 99, head: 0 })
  await rejects(/heads: 99 is out of range/, { layer: 0, head: 99 })
  await rejects(/attentionParts: query: -99 is out of range/, { layer: 0, head: 0, query: -99 })
  await rejects(/attentionParts: layer: required/, { head: 0 })
  await rejectsWith('aborted', /./, model.attentionParts('Once', { layer: 0, head: 0, signal: AbortSignal.abort() }))
  await rejectsWith('invalid-argument', /layers: 99 is out of range/, model.valueNorms('Once', { layers: [99] }))
  // No state is left over: the next calls give the same results as before.
  const before = await model.attention('Once upon a time')
  await model.attentionParts('Once upon a time', { layer: 1, head: 1 })
  await model.valueNorms('Once upon a time')
  assert.deepEqual((await model.attention('Once upon a time')).weights, before.weights)
  await model.dispose()
})
