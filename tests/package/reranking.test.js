// Reranking: pairs of texts, scored by the head that a file has for them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { ggufHeader, paddedTo } from '../../tools/bench/models/gguf.mjs'
import { encoders } from '../golden/make/encoders.mjs'
import { matrix } from '../golden/make/parts.mjs'
import { randomFloats } from '../golden/make/random.mjs'
import { goldenFile } from '../support/golden.mjs'
import { rejectsWith, withModel } from './support.mjs'

const query = 'the fox'
const documents = ['a hen and the fox sing', 'owls', 'the fox']
const weights = new Map()
let model

/** The smallest BERT with a head: tanh(cls x), then one score. */
function reranker() {
  const { keys, tensors } = encoders.bert
  const width = 32
  const head = [...matrix('cls', width, width, { biased: true }), ...matrix('cls.output', 1, width, { biased: true })]
  const all = [...tensors, ...head].map(tensor => {
    const values = randomFloats(`reranker ${tensor.name}`, tensor.shape.reduce((a, b) => a * b), tensor)
    weights.set(tensor.name, values)
    return { name: tensor.name, shape: tensor.shape, type: 'f32', bytes: values.byteLength, values }
  })
  const stored = all.flatMap(({ bytes, values }) => [Buffer.from(values.buffer), Buffer.alloc(paddedTo(bytes) - bytes)])
  return Buffer.concat([ggufHeader({ ...keys, 'bert.pooling_type': ['u32', 4] }, all), ...stored])
}

before(async () => { model = await loadModel(reranker()) })
after(() => model.dispose())

const product = (name, x) => Array.from(weights.get(`${name}.bias`), (bias, row) =>
  x.reduce((sum, value, i) => sum + value * weights.get(`${name}.weight`)[row * x.length + i], bias))

test('each document has the score of its pair with the query', async () => {
  const scores = await model.rerank(query, documents)
  assert.equal(scores.length, documents.length)
  for (const [index, document] of documents.entries()) {
    const pair = [...await model.tokenize(query), ...(await model.tokenize(document)).slice(1)]
    const [first] = await model.embed([pair], { pooling: 'cls' })
    const [expected] = product('cls.output', product('cls', [...first]).map(Math.tanh))
    assert.ok(Math.abs(scores[index] - expected) < 1e-4, `${scores[index]} is not ${expected}`)
  }
  assert.equal(new Set(scores).size, documents.length)
  assert.deepEqual(await model.rerank(query, []), [])
})

test('what cannot be reranked is refused', async () => {
  await rejectsWith('context-overflow', /context/, model.rerank(query, ['owls '.repeat(100)]))
  await rejectsWith('invalid-argument', /rerank: expected a text/, model.rerank(7, documents))
  await rejectsWith('invalid-argument', /rerank: expected an array/, model.rerank(query, 'owls'))
  await rejectsWith('invalid-argument', /rerank has no option "top"/, model.rerank(query, documents, { top: 1 }))
  await rejectsWith('aborted', /abort/i, model.rerank(query, documents, { signal: AbortSignal.abort() }))
  await withModel(goldenFile('bert'), {}, async plain => {
    await rejectsWith('unsupported', /is not a reranker/, plain.rerank(query, documents))
  })
})
