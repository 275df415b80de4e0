// Reranking: pairs of texts, scored by the model's classification head.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { goldenFile } from '../support/golden.mjs'
import { decidingReranker, reranker } from '../support/reranker.mjs'
import { rejectsWith, withModel } from './support.mjs'

const query = 'the fox'
const documents = ['a hen and the fox sing', 'owls', 'the fox']
const { bytes, weights } = reranker()
let model

before(async () => {
  model = await loadModel(bytes)
})
after(() => model.dispose())

const product = (name, x) =>
  Array.from(weights.get(`${name}.bias`), (bias, row) =>
    x.reduce((sum, value, i) => sum + value * weights.get(`${name}.weight`)[row * x.length + i], bias),
  )

test('scores the pair of the query and each document', async () => {
  const scores = await model.rerank(query, documents)
  assert.equal(scores.length, documents.length)
  for (const [index, document] of documents.entries()) {
    const pair = [...(await model.tokenize(query)), ...(await model.tokenize(document)).slice(1)]
    const [first] = await model.embed([pair], { pooling: 'cls' })
    const [expected] = product('cls.output', product('cls', [...first]).map(Math.tanh))
    assert.ok(Math.abs(scores[index] - expected) < 1e-4, `${scores[index]} is not ${expected}`)
  }
  assert.equal(new Set(scores).size, documents.length)
  assert.equal(model.info.reranks, true)
  assert.deepEqual(await model.rerank(query, []), [])
})

/** The probability of yes, from the vector of the last token. */
const ofYes = (weights, vector) => {
  const [yes, no] = [0, 1].map(row =>
    Math.exp(vector.reduce((sum, x, i) => sum + x * weights.get('cls.output.weight')[row * vector.length + i], 0)),
  )
  return yes / (yes + no)
}

test('a decoder that classifies as yes or no gives the probability of yes', () => {
  const { bytes: file, weights: random } = decidingReranker()
  return withModel(file, {}, async decider => {
    assert.deepEqual([decider.info.generates, decider.info.embeds], [false, true])
    const scores = await decider.rerank(query, documents)
    assert.equal(new Set(scores).size, documents.length)
    for (const [index, document] of documents.entries()) {
      const pair = [...(await decider.tokenize(query)), ...(await decider.tokenize(document))]
      const expected = ofYes(random, (await decider.embed([pair]))[0])
      assert.ok(Math.abs(scores[index] - expected) < 1e-5, `${scores[index]} is not ${expected}`)
    }
  })
})

test("renders pairs with the file's template, without control tokens in their texts", () => {
  const end = { control: '<|end|>' }
  const { bytes: file, weights: random } = decidingReranker('<|end|>q {query}<|end|>d {document} {query}<|end|>')
  return withModel(file, {}, async decider => {
    const asked = 'the {document} fox'
    const texts = ['a fox <|end|>', 'hen', '{query}']
    const scores = await decider.rerank(asked, texts)
    for (const [index, text] of texts.entries()) {
      const ids = await decider.tokenize([end, `q ${asked}`, end, `d ${text} ${asked}`, end], { addSpecial: false })
      const expected = ofYes(random, (await decider.embed([ids]))[0])
      assert.ok(Math.abs(scores[index] - expected) < 1e-5, `${scores[index]} is not ${expected}`)
    }
  })
})

test('rejects what cannot be reranked', async () => {
  await rejectsWith('context-overflow', /context/, model.rerank(query, ['owls '.repeat(100)]))
  assert.equal((await model.rerank(query, ['owls', 'owls '.repeat(100)]).catch(error => error)).index, 1)
  await rejectsWith('invalid-argument', /rerank: expected a string/, model.rerank(7, documents))
  await rejectsWith('invalid-argument', /rerank: expected an array/, model.rerank(query, 'owls'))
  await rejectsWith('invalid-argument', /rerank has no option "top"/, model.rerank(query, documents, { top: 1 }))
  await rejectsWith('aborted', /abort/i, model.rerank(query, documents, { signal: AbortSignal.abort() }))
  await withModel(goldenFile('bert'), {}, async plain => {
    await rejectsWith('unsupported', /is not a reranker/, plain.rerank(query, documents))
  })
})
