// Tokens, logits and attention.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { forcing, hash, modules, needsShared, rejectsWith, sharedFile, withModel } from './support.mjs'

const text = 'Once upon a time, there was a little fox.'
let model
let ids

before(async () => {
  model = await loadModel()
  ids = await model.tokenize(text)
})
after(() => model.dispose())

test('turns text into tokens and back', async () => {
  assert.equal((await model.detokenize(ids)).trimStart(), text)
  assert.ok(Array.isArray(ids))
  for (const sample of ['', 'ünï👩‍🚀 code', 'a\0b', 'line\nline']) {
    const back = await model.detokenize(await model.tokenize(sample), { tidySpaces: true })
    assert.equal(back.trimStart(), sample)
  }
})

test('adds special tokens unless told not to', async () => {
  const plain = await model.tokenize(text, { addSpecial: false })
  assert.deepEqual(ids.slice(-plain.length), plain)
  assert.equal(ids.length, plain.length + 1)
})

test('shows special tokens on request', async () => {
  assert.equal(await model.detokenize(ids.slice(0, 1)), '')
  assert.notEqual(await model.detokenize(ids.slice(0, 1), { special: true }), '')
})

test('gives the bytes of tokens, which may be parts of characters', async () => {
  const sample = 'ünï👩‍🚀\0\ufeff code'
  const parts = await model.tokenize(sample, { addSpecial: false })
  const each = await Promise.all(parts.map(id => model.detokenize([id], { bytes: true })))
  assert.ok(each.every(bytes => bytes instanceof Uint8Array) && parts.length > [...sample].length)
  assert.equal(Buffer.concat(each).toString().trimStart(), sample)
  assert.deepEqual(await model.detokenize(parts, { bytes: true }), new Uint8Array(Buffer.concat(each)))
  assert.deepEqual(await model.detokenize(ids.slice(0, 1), { bytes: true }), new Uint8Array())
  assert.equal((await model.detokenize(ids.slice(0, 1), { bytes: true, special: true })).at(-1), '>'.charCodeAt())
  await rejectsWith('invalid-argument', /./, model.detokenize([model.info.vocabulary], { bytes: true }))
})

test('rejects ids outside the vocabulary', async () => {
  await rejectsWith('invalid-argument', /./, model.detokenize([model.info.vocabulary]))
  await rejectsWith('invalid-argument', /./, model.logits([model.info.vocabulary]))
  await rejectsWith('invalid-argument', /./, model.generate([model.info.vocabulary]))
})

test('gives logits of the last position, of given ones, and of all', async () => {
  const { vocabulary } = model.info
  const all = await model.logits(ids, { positions: 'all' })
  assert.equal(all.length, ids.length * vocabulary)
  const row = position => all.slice(position * vocabulary, (position + 1) * vocabulary)
  assert.deepEqual(await model.logits(ids), row(ids.length - 1))
  const some = await model.logits(ids, { positions: [3, 0, 3, -2] })
  assert.deepEqual(some, Float32Array.of(...row(3), ...row(0), ...row(3), ...row(ids.length - 2)))
  assert.deepEqual(await model.logits(ids.slice(0, 4)), row(3), 'later tokens change nothing')
})

test('gives logits that predict the token of greedy generation', async () => {
  const logits = await model.logits(ids)
  const [{ id }] = (await model.generate(ids, { maxTokens: 1, temperature: 0, stopAtEnd: false })).tokens
  assert.equal(logits.indexOf(Math.max(...logits)), id)
})

test('rejects positions that do not exist', async () => {
  for (const position of [99, -99]) {
    await rejectsWith('invalid-argument', new RegExp(`positions.*${position}`), model.logits(ids, { positions: [position] }))
  }
})

test('rejects an empty list, and more tokens than fit into the context', async () => {
  await rejectsWith('invalid-argument', /./, model.logits([]))
  const { contextLength } = model.info
  await rejectsWith(
    'context-overflow',
    new RegExp(`${contextLength + 1}.*${contextLength}`),
    model.logits(Array(contextLength + 1).fill(ids[1])),
  )
})

test('gives attention weights: rows sum to 1, and are causal', async () => {
  const { tokens, layers, heads, weights } = await model.attention(text)
  assert.deepEqual(
    tokens.map(token => token.id),
    ids,
  )
  assert.deepEqual(layers, [...Array(model.info.layers).keys()])
  assert.deepEqual(heads, [...Array(model.info.heads).keys()])
  const count = tokens.length
  for (const matrix of weights.flat()) {
    assert.equal(matrix.length, count * count)
    for (let query = 0; query < count; query++) {
      const row = matrix.subarray(query * count, (query + 1) * count)
      assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-4)
      assert.ok(row.subarray(query + 1).every(weight => weight === 0))
    }
  }
})

test('tokens that share a character have its text, and say which part they are', async () => {
  const { tokens } = await model.attention('a fox 🦊, a naïve 👩‍🚀 owl', { layers: [0] })
  const groups = []
  for (const token of tokens) {
    const { index, count } = token.part ?? { index: 0, count: 1 }
    if (index === 0) groups.push([])
    groups.at(-1).push(token)
    assert.equal(groups.at(-1).length, index + 1)
    assert.equal(groups.at(-1)[0].text, token.text)
    assert.equal(groups.at(-1)[0].part?.count ?? 1, count)
  }
  assert.ok(
    groups.every(group => group.length === (group[0].part?.count ?? 1)),
    'all its parts are there',
  )
  const texts = groups.map(([token]) => token.text)
  assert.equal(texts.slice(1).join('').trim(), 'a fox 🦊, a naïve 👩‍🚀 owl')
  const fox = groups.find(([{ text }]) => text.trim() === '🦊')
  assert.deepEqual(
    fox.map(token => token.part),
    [0, 1, 2, 3].map(index => ({ index, count: 4 })),
  )
  assert.ok(!('part' in groups[1][0]), 'a token that is whole has no part')
})

test('a token of an incomplete character has no text of its own', async () => {
  const {
    tokens: [, first, second, third],
  } = await model.attention('🦊', { layers: [0] })
  const { tokens } = await model.attention([first.id, second.id], { layers: [0] })
  assert.deepEqual(
    tokens,
    [first, second].map(({ id }) => ({ id, text: '\uFFFD' })),
  )
  const { tokens: rest } = await model.attention([third.id, ...(await model.tokenize(' fox', { addSpecial: false }))], {
    layers: [0],
  })
  assert.deepEqual(
    rest.map(({ text, part }) => [text, part]),
    [
      ['\uFFFD', undefined],
      [' fox', undefined],
    ],
  )
})

test('gives attention of the requested layers and heads, in that order', async () => {
  const all = await model.attention(text)
  const some = await model.attention(text, { layers: [1, 0], heads: [2] })
  assert.deepEqual(some.layers, [1, 0])
  assert.deepEqual(some.heads, [2])
  assert.deepEqual(some.weights, [[all.weights[1][2]], [all.weights[0][2]]])
})

test('rejects layers and heads that do not exist', async () => {
  await rejectsWith('invalid-argument', /layer.*99|99.*layer/, model.attention(text, { layers: [99] }))
  await rejectsWith('invalid-argument', /head.*99|99.*head/, model.attention(text, { heads: [99] }))
})

test('aborts logits and attention, and stays usable', async () => {
  const controller = new AbortController()
  const long = Array(model.info.contextLength).fill(ids[1])
  const { signal } = controller
  setTimeout(() => controller.abort(), 5)
  await Promise.all(
    [model.logits(long, { signal }), model.attention(long, { signal })].map(call => rejectsWith('aborted', /./, call)),
  )
  assert.deepEqual(await model.tokenize(text), ids)
})

test('gives the same bits with every module and number of threads', needsShared, async () => {
  const hashes = new Set()
  for (const module of modules) {
    for (const threads of [1, 2, 3]) {
      await withModel(sharedFile('models/stories260K.gguf'), { ...forcing(module), threads }, async stories => {
        const tokens = await stories.tokenize(text.repeat(10))
        hashes.add(await hash(await stories.logits(tokens, { positions: 'all' })))
      })
    }
  }
  assert.equal(hashes.size, 1)
})
