// Generation: as an iterable, as a promise, and how it ends.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { forcing, modules, needsShared, rejectsWith, sharedFile, withModel } from './support.mjs'

const prompt = 'Write a story about a fox and a lantern.\n'
let model

before(async () => {
  model = await loadModel(undefined, { threads: 2 })
})
after(() => model.dispose())

const collect = async generation => {
  const tokens = []
  for await (const token of generation) tokens.push(token)
  return tokens
}

for (const module of modules) {
  for (const threads of [1, 2]) {
    test(`generates the known story greedily: ${module}, threads: ${threads}`, needsShared, () =>
      withModel(sharedFile('models/stories260K.gguf'), { ...forcing(module), threads }, async stories => {
        const expected = readFileSync(sharedFile('models/stories260K.txt'), 'utf8')
        const start = 'Once upon a time'
        const { text, tokens } = await stories.generate(start, { maxTokens: 196, temperature: 0 })
        assert.equal(tokens.length, 196)
        assert.equal((start + text).slice(0, expected.length), expected)
      }),
    )
  }
}

test('gives the same tokens to a loop and to await', async () => {
  const generation = model.generate(prompt, { maxTokens: 20, seed: 3 })
  const tokens = await collect(generation)
  const result = await generation
  assert.deepEqual(result.tokens, tokens)
  assert.equal(result.text, tokens.map(token => token.text).join(''))
  assert.equal(result.seed, 3)
  assert.equal(result.timings.generatedTokens, tokens.length)
  assert.deepEqual(await collect(generation), tokens, 'a second loop')
})

test('streams: the first token arrives before the last is generated', async () => {
  const generation = model.generate(prompt, { maxTokens: 50, stopAtEnd: false })
  let ended = false
  generation.then(() => {
    ended = true
  })
  for await (const token of generation) {
    assert.ok(Number.isInteger(token.id))
    assert.equal(ended, false)
    break
  }
})

test('gives the same text with the same seed, and not with another', async () => {
  const options = { maxTokens: 40, temperature: 1 }
  const write = seed => model.generate(prompt, { ...options, seed }).then(({ text }) => text)
  assert.equal(await write(7), await write(7))
  assert.notEqual(await write(7), await write(8))
})

test('draws a seed and reports it', async () => {
  const generation = model.generate(prompt, { maxTokens: 20 })
  const { seed, text } = await generation
  assert.equal(generation.seed, seed)
  assert.equal((await model.generate(prompt, { maxTokens: 20, seed })).text, text)
  assert.notEqual((await model.generate(prompt, { maxTokens: 1 })).seed, seed)
})

test('does not depend on what was generated before', async () => {
  const write = () => model.generate(prompt, { maxTokens: 20, seed: 1 }).then(({ text }) => text)
  const first = await write()
  await model.generate('Something else entirely', { maxTokens: 5 })
  assert.equal(await write(), first)
})

test('accepts token ids as a prompt', async () => {
  const ids = await model.tokenize(prompt)
  const options = { maxTokens: 10, seed: 1 }
  assert.equal((await model.generate(ids, options)).text, (await model.generate(prompt, options)).text)
})

test('ends after maxTokens', async () => {
  const { tokens, finishReason } = await model.generate(prompt, { maxTokens: 3, stopAtEnd: false })
  assert.equal(tokens.length, 3)
  assert.equal(finishReason, 'length')
})

test('ends before a stop text, which is not part of the result', async () => {
  const options = { maxTokens: 30, seed: 5, stopAtEnd: false }
  const { text } = await model.generate(prompt, options)
  const stop = text.slice(10, 14)
  const stopped = await model.generate(prompt, { ...options, stop })
  assert.equal(stopped.finishReason, 'stop')
  assert.equal(stopped.text, text.slice(0, text.indexOf(stop)))
  assert.equal((await model.generate(prompt, { ...options, stop: ['\u0001', stop] })).text, stopped.text)
})

test('keeps text that only begins like a stop text', async () => {
  const options = { maxTokens: 12, seed: 5, stopAtEnd: false }
  const { text } = await model.generate(prompt, options)
  const held = await model.generate(prompt, { ...options, stop: `${text.slice(-3)}\u0001` })
  assert.equal(held.text, text)
  assert.equal(held.finishReason, 'length')
  assert.equal(held.tokens.length, 12)
})

test('ends when the context is full', () =>
  withModel(undefined, { contextLength: 40 }, async small => {
    const { finishReason, timings } = await small.generate(prompt, { maxTokens: 100, stopAtEnd: false })
    assert.equal(finishReason, 'context')
    assert.ok(timings.promptTokens + timings.generatedTokens >= 40)
  }))

test('rejects a prompt longer than the context, with both numbers', () =>
  withModel(undefined, { contextLength: 16 }, async small => {
    const ids = await small.tokenize(prompt.repeat(3))
    const pattern = new RegExp(`${ids.length}.*16|16.*${ids.length}`)
    await rejectsWith('context-overflow', pattern, small.generate(ids))
    await rejectsWith('context-overflow', pattern, async () => collect(small.generate(ids)))
    const { tokens } = await small.generate(ids.slice(0, 4), { maxTokens: 2, stopAtEnd: false })
    assert.equal(tokens.length, 2)
  }))

test('reports log-probabilities and alternatives', async () => {
  const { tokens } = await model.generate(prompt, { maxTokens: 5, temperature: 0, topLogprobs: 3 })
  for (const { id, logprob, text, alternatives } of tokens) {
    assert.equal(alternatives.length, 3)
    assert.equal(alternatives[0].id, id)
    assert.equal(alternatives[0].logprob, logprob)
    assert.equal(typeof text, 'string')
    const values = alternatives.map(other => other.logprob)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => b - a),
    )
    assert.ok(values.reduce((sum, value) => sum + Math.exp(value), 0) < 1.0001)
  }
})

test('reports nothing that was not requested', async () => {
  const [token] = (await model.generate(prompt, { maxTokens: 1, stopAtEnd: false })).tokens
  assert.deepEqual(Object.keys(token).toSorted(), ['id', 'logprob', 'text'])
})

test('reports the attention of each token', async () => {
  const { layers, heads } = model.info
  const options = { maxTokens: 3, attention: true, stopAtEnd: false }
  const { tokens, timings } = await model.generate(prompt, options)
  tokens.forEach(({ attention }, index) => {
    assert.equal(attention.length, layers)
    for (const layer of attention) {
      assert.equal(layer.length, heads)
      for (const weights of layer) {
        assert.equal(weights.length, timings.promptTokens + index)
        assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-4)
      }
    }
  })
})

test('reports attention of the requested layers and heads', async () => {
  const options = { maxTokens: 2, temperature: 0, stopAtEnd: false }
  const all = await model.generate(prompt, { ...options, attention: true })
  const some = await model.generate(prompt, { ...options, attention: { layers: [1], heads: [2, 0] } })
  assert.deepEqual(some.tokens[1].attention, [[all.tokens[1].attention[1][2], all.tokens[1].attention[1][0]]])
})

test('bans tokens with logitBias', async () => {
  const options = { maxTokens: 1, temperature: 0 }
  const [{ id }] = (await model.generate(prompt, options)).tokens
  for (const logitBias of [{ [id]: -Infinity }, new Map([[id, -Infinity]])]) {
    assert.notEqual((await model.generate(prompt, { ...options, logitBias })).tokens[0]?.id, id)
  }
})

test('parses control tokens in a prompt only if told to', async () => {
  const [bos] = await model.tokenize('x')
  const name = await model.detokenize([bos], { special: true })
  const withSpecial = await model.generate(name, { maxTokens: 1, addSpecial: false, parseSpecial: true })
  const withoutSpecial = await model.generate(name, { maxTokens: 1, addSpecial: false })
  assert.equal(withSpecial.timings.promptTokens, 1)
  assert.ok(withoutSpecial.timings.promptTokens > 1)
})

test('an abort while generating ends it, and keeps the tokens so far', async () => {
  const controller = new AbortController()
  const generation = model.generate(prompt, { maxTokens: 400, stopAtEnd: false, signal: controller.signal })
  let count = 0
  for await (const _ of generation) if (++count === 3) controller.abort()
  const { finishReason, tokens, text } = await generation
  assert.equal(finishReason, 'abort')
  assert.equal(tokens.length, count)
  assert.equal(text, tokens.map(token => token.text).join(''))
})

test('an abort while the prompt is read ends it', async () => {
  const controller = new AbortController()
  const words = Array(model.info.contextLength - 1).fill((await model.tokenize('Once')).at(-1))
  const generation = model.generate(words, { signal: controller.signal })
  setTimeout(() => controller.abort(), 5)
  const { finishReason, tokens } = await generation
  assert.equal(finishReason, 'abort')
  assert.equal(tokens.length, 0)
})

test('gives an empty result if aborted before the call or while waiting', async () => {
  const aborted = await model.generate(prompt, { signal: AbortSignal.abort() })
  assert.deepEqual([aborted.text, aborted.finishReason, aborted.timings.promptTokens], ['', 'abort', 0])
  const controller = new AbortController()
  const first = model.generate(prompt, { maxTokens: 10, stopAtEnd: false })
  const waiting = model.generate(prompt, { signal: controller.signal })
  controller.abort()
  assert.equal((await waiting).finishReason, 'abort')
  assert.equal((await first).tokens.length, 10)
})

test('stops when a loop is left early', async () => {
  const generation = model.generate(prompt, { maxTokens: 400, stopAtEnd: false })
  for await (const _ of generation) break
  assert.equal((await generation).finishReason, 'abort')
  assert.equal((await model.generate(prompt, { maxTokens: 3, stopAtEnd: false })).tokens.length, 3)
})

test('reuses the common prefix of two prompts', async () => {
  const ids = await model.tokenize(prompt)
  await model.generate(ids, { maxTokens: 1 })
  const { timings } = await model.generate([...ids, ids.at(-1)], { maxTokens: 1 })
  assert.ok(timings.reusedTokens > 0)
})

test('result is a promise of the result alone; returned in an object, a generation can still be iterated', async () => {
  const begin = async () => {
    const generation = model.generate('Once', { maxTokens: 4, seed: 1, stopAtEnd: false })
    return { generation, result: generation.result }
  }
  const { generation, result } = await begin()
  assert.ok(result instanceof Promise)
  const texts = []
  for await (const { text } of generation) texts.push(text)
  assert.equal(texts.length, 4)
  assert.equal((await result).text, texts.join(''))
  assert.equal(await result, await generation)
})
