// Reranking: pairs of texts, scored by the head that a file has for them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { goldenFile } from '../support/golden.mjs'
import { reranker } from '../support/reranker.mjs'
import { rejectsWith, withModel } from './support.mjs'

const query = 'the fox'
const documents = ['a hen and the fox sing', 'owls', 'the fox']
const { bytes, weights } = reranker()
let model

before(async () => { model = await loadModel(bytes) })
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
