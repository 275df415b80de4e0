// How probable each of some texts to choose from is: in generations, sessions and chats, and as the labels of texts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { goldenBytes } from '../support/golden.mjs'
import { rejectsWith, withModel } from './support.mjs'

let model
before(async () => {
  model = await loadModel(undefined, { threads: 2, parallel: 4 })
})
after(() => model.dispose())

const user = content => [{ role: 'user', content }]
const sum = values => values.reduce((total, value) => total + value, 0)
const isClose = (actual, expected, what) => assert.ok(Math.abs(actual - expected) < 1e-5, `${what}: ${actual}, and not ${expected}`)

/** Of texts after some tokens, from the logits. */
async function computed(prompt, texts) {
  const products = await Promise.all(
    texts.map(async text => {
      const added = await model.tokenize([{ ids: prompt }, text], { addSpecial: false })
      const flat = await model.logits(added, { positions: 'all' })
      const { vocabulary } = model.info
      return added.slice(prompt.length).reduce((product, id, index) => {
        const from = (prompt.length + index - 1) * vocabulary
        const row = [...flat.subarray(from, from + vocabulary)]
        return (product * Math.exp(row[id])) / sum(row.map(Math.exp))
      }, 1)
    }),
  )
  return products.map(product => product / sum(products))
}

test('choices have the probabilities of their tokens after the prompt', async () => {
  const choices = [' time', ' day', ' little cat', ' time, there']
  const prompt = 'Once upon a'
  const expected = await computed(await model.tokenize(prompt), choices)
  const result = await model.generate(prompt, { choices, choiceProbabilities: true, temperature: 0 })
  assert.deepEqual(
    result.choiceProbabilities.map(({ choice }) => choice),
    choices,
  )
  result.choiceProbabilities.forEach(({ probability }, index) => isClose(probability, expected[index], choices[index]))
  assert.ok(choices.includes(result.text))
  assert.equal((await model.generate(prompt, { choices, temperature: 0 })).choiceProbabilities, undefined)

  const session = await model.session()
  await session.append('Once upon')
  const later = await session.generate(' a', { choices, choiceProbabilities: true, temperature: 0 })
  const inSession = await computed(session.tokens.slice(0, later.timings.promptTokens), choices)
  later.choiceProbabilities.forEach(({ probability }, index) => isClose(probability, inSession[index], choices[index]))
  await session.dispose()
})

test('a chat has those of its answer', async () => {
  const choices = ['Yes.', 'No, never!']
  const { choiceProbabilities, text, steps, usage } = await model.chat(user('Is it late?'), {
    choices,
    choiceProbabilities: true,
    seed: 1,
  })
  const expected = await computed([...steps[0].promptIds], choices)
  choiceProbabilities.forEach(({ probability }, index) => isClose(probability, expected[index], choices[index]))
  assert.ok(choices.includes(text))
  assert.deepEqual(steps[0].generation.choiceProbabilities, choiceProbabilities)
  isClose(usage.tokensPerSecond / steps[0].generation.timings.decodeTokensPerSecond, 1, 'tokens per second')

  const session = await model.session()
  const inSession = await session.chat(user('Is it late?'), { choices, choiceProbabilities: true, seed: 1 })
  assert.deepEqual(inSession.choiceProbabilities, choiceProbabilities)
  await session.dispose()
})

test('labels of texts are choices of a chat', async () => {
  const labels = ['happy', 'sad', 'angry']
  const prompt = 'The mood of "{text}" is one of {labels}.'
  const texts = ['She laughed all day. $& {labels}', 'The dog was lost.']
  const found = await model.classify(texts, labels, { prompt })
  for (const [index, text] of texts.entries()) {
    const asked = `The mood of "${text}" is one of happy, sad, angry.`
    const { choiceProbabilities } = await model.chat(user(asked), { choices: labels, choiceProbabilities: true, think: false })
    const expected = choiceProbabilities.map(({ choice, probability }) => ({ label: choice, probability }))
    assert.deepEqual(
      found[index],
      expected.sort((a, b) => b.probability - a.probability),
    )
  }
  assert.deepEqual(await model.classify(texts[1], labels, { prompt, top: 1 }), found[1].slice(0, 1))

  const plain = new Map((await model.classify('The dog was lost.', labels)).map(({ label, probability }) => [label, probability]))
  isClose(sum([...plain.values()]), 1, 'all labels')
  const without = new Map((await model.classify('N/A', labels)).map(({ label, probability }) => [label, probability]))
  const ratios = labels.map(label => plain.get(label) / without.get(label))
  for (const { label, probability } of await model.classify('The dog was lost.', labels, { calibrate: true }))
    isClose(probability, ratios[labels.indexOf(label)] / sum(ratios), label)
})

test('a model without a template continues a question with the label', () =>
  withModel(goldenBytes('llama-gqa'), {}, async plain => {
    const labels = ['a', 'b']
    const found = await plain.classify('c d', labels, { prompt: 'x {text} {labels}:' })
    const scores = await plain.score(await plain.tokenize('x c d a, b:'), [' a', ' b'])
    const weights = labels.map((_, at) => Math.exp(scores.find(({ index }) => index === at).sum))
    for (const { label, probability } of found) isClose(probability, weights[labels.indexOf(label)] / sum(weights), label)
  }))

test('what cannot be weighed is refused', async () => {
  await rejectsWith('invalid-argument', /generate: choiceProbabilities is an option of choices/, () =>
    model.generate('x', { regex: 'a', choiceProbabilities: true }),
  )
  await rejectsWith('invalid-argument', /chat: choiceProbabilities is an option of choices/, () =>
    model.chat(user('x'), { choiceProbabilities: true }),
  )
  await rejectsWith(
    'invalid-argument',
    /classify: prompt and calibrate are options of texts/,
    model.classify(new Blob(), { calibrate: true }),
  )
  await rejectsWith('invalid-argument', /classify: labels/, model.classify('x', [1]))
  await rejectsWith('invalid-argument', /classify: text/, model.classify(1, ['a']))
  await rejectsWith('invalid-argument', /classify: labels: expected at least one/, model.classify('x', []))
  await rejectsWith('aborted', /./, model.classify('x', ['a', 'b'], { signal: AbortSignal.abort() }))
})
