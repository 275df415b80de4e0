// Embedding and reranking models in the AI SDK.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cosineSimilarity, embed, embedMany, rerank } from 'ai'
import { loadModel } from 'heed'
import { heed } from 'heed/ai-sdk'
import { rejectsWith } from '../package/support.mjs'
import { goldenFile } from '../support/golden.mjs'
import { reranker } from '../support/reranker.mjs'

const values = ['the fox', 'owls', 'a hen and the fox sing']
let bert, scorer

before(async () => {
  ;[bert, scorer] = await Promise.all([loadModel(goldenFile('bert')), loadModel(reranker().bytes)])
})
after(() => Promise.all([bert.dispose(), scorer.dispose()]))

test("embeds texts with the model's vectors", async () => {
  const vectors = (await bert.embed(values)).map(vector => [...vector])
  const { embeddings, usage, warnings } = await embedMany({ model: heed.embedding(bert), values })
  assert.deepEqual(embeddings, vectors)
  const counts = await Promise.all(values.map(async value => (await bert.tokenize(value)).length))
  assert.equal(
    usage.tokens,
    counts.reduce((a, b) => a + b),
  )
  assert.deepEqual(warnings, [])
  const { embedding } = await embed({ model: heed.embeddingModel(bert), value: values[1] })
  assert.deepEqual(embedding, vectors[1])
  assert.ok(Math.abs(cosineSimilarity(embedding, embedding) - 1) < 1e-6)
})

test('pooling, normalization and dimensions are options', async () => {
  const options = { pooling: 'mean', normalize: true }
  const [vector] = await bert.embed([values[0]], options)
  const ask = (heedOptions, dimensions) =>
    embed({ model: heed.embedding(bert), value: values[0], dimensions, providerOptions: { heed: heedOptions } })
  assert.deepEqual((await ask(options)).embedding, [...vector])
  const narrow = await ask(options, 8)
  assert.deepEqual(narrow.warnings, [])
  assert.deepEqual(narrow.embedding, [...(await bert.embed([values[0]], { ...options, dimensions: 8 }))[0]])
  await rejectsWith('invalid-argument', /dimensions: must be/, ask({}, vector.length + 1))
  await assert.rejects(ask({ pool: 'mean' }), /providerOptions\.heed\.pool.*pooling/)
  await assert.rejects(ask({ pooling: 'none' }), /providerOptions\.heed\.pooling/)
  await rejectsWith('invalid-argument', /pooling/, ask({ pooling: 'max' }))
})

test("ranks documents by the model's scores", async () => {
  const scores = await scorer.rerank('the fox', values)
  const { ranking, rerankedDocuments, response } = await rerank({
    model: heed.reranking(scorer),
    query: 'the fox',
    documents: values,
  })
  assert.deepEqual(
    ranking.map(({ originalIndex, score }) => [originalIndex, score]),
    scores.map((score, index) => [index, score]).sort((a, b) => b[1] - a[1]),
  )
  assert.equal(rerankedDocuments[0], values[ranking[0].originalIndex])
  assert.ok(response.timestamp instanceof Date)
  const top = await rerank({ model: heed.rerankingModel(scorer), query: 'the fox', documents: values, topN: 1 })
  assert.deepEqual(top.ranking, ranking.slice(0, 1))
})

test('reads objects as JSON, with a warning', async () => {
  const documents = values.map(text => ({ text }))
  const scores = await scorer.rerank(
    'the fox',
    documents.map(document => JSON.stringify(document)),
  )
  const { ranking, warnings } = await heed
    .reranking(scorer)
    .doRerank({ query: 'the fox', documents: { type: 'object', values: documents } })
  assert.deepEqual(
    ranking.map(({ relevanceScore }) => relevanceScore),
    [...scores].sort((a, b) => b - a),
  )
  assert.deepEqual(
    warnings.map(({ type }) => type),
    ['compatibility'],
  )
  const asked = heed.reranking(scorer).doRerank({
    query: 'x',
    documents: { type: 'text', values },
    providerOptions: { heed: { normalize: true } },
  })
  await assert.rejects(asked, /providerOptions\.heed\.normalize/)
})

test('rejects an aborted call, and a model that is not a reranker', async () => {
  const reason = new Error('enough')
  const abortSignal = AbortSignal.abort(reason)
  await assert.rejects(heed.embedding(bert).doEmbed({ values, abortSignal }), reason)
  await assert.rejects(heed.reranking(scorer).doRerank({ query: 'x', documents: { type: 'text', values }, abortSignal }), reason)
  const controller = new AbortController()
  const embedding = heed
    .embedding(bert)
    .doEmbed({ values: Array(2000).fill('the fox and the owls'), abortSignal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await assert.rejects(embedding, reason)
  await rejectsWith('unsupported', /reranker/, rerank({ model: heed.reranking(bert), query: 'x', documents: values }))
})
