// completions.create, with Heed's own client and with OpenAI's, gives the results of model.generate.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect, withClients } from './support.mjs'

const prompt = 'Once upon a time'
const ways = { model: 'any', temperature: 0, max_tokens: 12 }
const withDefault = body => withClients(undefined, body)

const textOf = (chunks, index = 0) =>
  chunks
    .flatMap(({ choices }) => choices)
    .filter(choice => choice.index === index)
    .map(({ text }) => text)
    .join('')

test('continues a text, whole and in chunks', () =>
  withDefault(async (client, model) => {
    const { text, timings } = await model.generate(prompt, { temperature: 0, maxTokens: 12 })
    const { id, created, usage, ...rest } = await client.completions.create({ ...ways, prompt })
    assert.match(id, /^cmpl-\w+$/)
    assert.ok(Math.abs(created - Date.now() / 1000) < 60)
    assert.deepEqual(rest, {
      object: 'text_completion',
      model: 'heed-stories',
      choices: [{ index: 0, text, logprobs: null, finish_reason: 'length' }],
    })
    assert.deepEqual(
      [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens],
      [timings.promptTokens, 12, timings.promptTokens + 12],
    )
    const chunks = await collect(
      await client.completions.create({ ...ways, prompt, stream: true, stream_options: { include_usage: true } }),
    )
    assert.equal(textOf(chunks), text)
    assert.ok(chunks.length > 12)
    const [end, counted] = chunks.slice(-2)
    assert.deepEqual(end.choices, [{ index: 0, text: '', logprobs: null, finish_reason: 'length' }])
    assert.deepEqual([counted.choices, counted.usage.total_tokens], [[], usage.total_tokens])
    assert.equal((await client.completions.create({ model: 'any', prompt })).usage.completion_tokens, 16)
    const { text: longest } = await model.generate(prompt, { temperature: 0, maxTokens: model.info.contextLength })
    const { choices } = await client.completions.create({ ...ways, prompt, max_tokens: -1 })
    assert.deepEqual([choices[0].text, choices[0].finish_reason], [longest, 'stop'])
  }))

test('accepts texts, token ids and lists of them', () =>
  withDefault(async (client, model) => {
    const other = 'The owl was'
    const [first, second] = await Promise.all([prompt, other].map(text => model.generate(text, { temperature: 0, maxTokens: 12 })))
    const [ids, otherIds] = await Promise.all([prompt, other].map(text => model.tokenize(text)))
    const texts = async given => (await client.completions.create({ ...ways, prompt: given })).choices.map(({ text }) => text)
    assert.deepEqual(await texts([prompt, other]), [first.text, second.text])
    assert.deepEqual(await texts([prompt]), [first.text])
    assert.deepEqual(await texts(ids), [first.text])
    assert.deepEqual(await texts([ids, otherIds]), [first.text, second.text])
    const { usage } = await client.completions.create({ ...ways, prompt: [prompt, other], n: 2 })
    assert.deepEqual([usage.prompt_tokens, usage.completion_tokens], [ids.length + otherIds.length, 48])
  }))

test('several choices have different seeds, and are reproducible', () =>
  withDefault(async (client, model) => {
    const asked = { model: 'any', prompt: [prompt, 'An owl'], n: 2, seed: 5, temperature: 1, max_tokens: 12 }
    const { choices } = await client.completions.create(asked)
    assert.deepEqual(
      choices.map(({ index }) => index),
      [0, 1, 2, 3],
    )
    assert.notEqual(choices[0].text, choices[1].text)
    const expected = await Promise.all(
      [prompt, prompt, 'An owl', 'An owl'].map(
        async (text, at) => (await model.generate(text, { temperature: 1, maxTokens: 12, seed: 5 + (at % 2) })).text,
      ),
    )
    assert.deepEqual(
      choices.map(({ text }) => text),
      expected,
    )
    const chunks = await collect(await client.completions.create({ ...asked, stream: true }))
    assert.deepEqual(
      [0, 1, 2, 3].map(index => textOf(chunks, index)),
      expected,
    )
  }))

test('echoes the prompt', () =>
  withDefault(async (client, model) => {
    const { text } = await model.generate(prompt, { temperature: 0, maxTokens: 12 })
    for (const given of [prompt, await model.tokenize(prompt)]) {
      const asked = { ...ways, prompt: given, echo: true }
      assert.equal((await client.completions.create(asked)).choices[0].text, prompt + text)
      assert.equal(textOf(await collect(await client.completions.create({ ...asked, stream: true }))), prompt + text)
    }
  }))

test('ends at a stop text', () =>
  withDefault(async (client, model) => {
    const { text } = await model.generate(prompt, { temperature: 0, maxTokens: 12 })
    const stop = text.slice(5, 9)
    const asked = { ...ways, prompt, stop }
    const {
      choices: [choice],
    } = await client.completions.create(asked)
    assert.deepEqual([choice.text, choice.finish_reason], [text.slice(0, text.indexOf(stop)), 'stop'])
    const chunks = await collect(await client.completions.create({ ...asked, stream: true }))
    assert.deepEqual([textOf(chunks), chunks.at(-1).choices[0].finish_reason], [choice.text, 'stop'])
  }))

test('returns log-probabilities', () =>
  withDefault(async (client, model) => {
    const { tokens } = await model.generate(prompt, { temperature: 0, maxTokens: 12, topLogprobs: 3 })
    const {
      choices: [{ logprobs, text }],
    } = await client.completions.create({ ...ways, prompt, logprobs: 3 })
    assert.deepEqual(
      logprobs.tokens,
      tokens.map(({ text }) => text),
    )
    assert.deepEqual(
      logprobs.token_logprobs,
      tokens.map(({ logprob }) => logprob),
    )
    logprobs.text_offset.forEach((offset, at) => assert.ok(text.startsWith(logprobs.tokens[at], offset)))
    assert.deepEqual(
      logprobs.top_logprobs,
      tokens.map(({ alternatives }) => Object.fromEntries(alternatives.map(({ text, logprob }) => [text, logprob]))),
    )
    const chunks = await collect(await client.completions.create({ ...ways, prompt, logprobs: 3, stream: true }))
    const pieces = chunks.flatMap(({ choices: [choice] }) => choice.logprobs ?? [])
    for (const name of Object.keys(logprobs))
      assert.deepEqual(
        pieces.flatMap(piece => piece[name]),
        logprobs[name],
      )
  }))

test('log-probabilities have the text of each token, even if it is improbable or withheld for a stop text', () =>
  withDefault(async (client, model) => {
    const ids = (await Promise.all([' owl', ' fox'].map(text => model.tokenize(text, { addSpecial: false })))).flat()
    assert.equal(ids.length, 2)
    const {
      choices: [{ logprobs, text }],
    } = await client.completions.create({
      ...ways,
      prompt,
      max_tokens: 4,
      logprobs: 0,
      stop: ' owl owl owl owl owl',
      logit_bias: { [ids[0]]: 100 },
    })
    assert.deepEqual([logprobs.tokens, text], [Array(4).fill(' owl'), ' owl'.repeat(4)])
    assert.ok(logprobs.top_logprobs.every(top => Object.keys(top).join() === ' owl'))
  }))
