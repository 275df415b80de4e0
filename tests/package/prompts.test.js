// Prompts in parts, and control tokens: where they are parsed and where they are shown.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { rejectsWith } from './support.mjs'

const story = 'Write a story about a fox and a lantern.'
let model, begin, end
before(async () => {
  model = await loadModel()
  begin = model.info.bosToken
  end = model.info.eosToken
})
after(() => model.dispose())

const plain = { addSpecial: false }

test('info has the first and the last token, and the chat templates', () => {
  assert.deepEqual(
    [begin, end],
    [
      { id: 0, text: '<|begin|>' },
      { id: 1, text: '<|end|>' },
    ],
  )
  assert.deepEqual(Object.keys(model.info.chatTemplates), ['default'])
  assert.match(model.info.chatTemplates.default, /messages/)
})

test('a lone surrogate is one U+FFFD, wherever text enters, and the text after it stays', async () => {
  for (const [broken, text] of [
    ['\ud83d漢字 hello', '\ufffd漢字 hello'],
    ['hello \udc00', 'hello \ufffd'],
    ['\ud83d\ud83d\ude00\ude00', '\ufffd\u{1f600}\ufffd'],
  ]) {
    const ids = await model.tokenize(text)
    for (const prompt of [broken, [broken], [{ control: broken }]])
      assert.deepEqual(await model.tokenize(prompt), ids, JSON.stringify(prompt))
    assert.equal(await model.detokenize(await model.tokenize(broken, plain)), text)
    const options = { seed: 1, maxTokens: 4 }
    assert.equal((await model.generate(broken, options)).text, (await model.generate(text, options)).text)
    const sessions = await Promise.all(
      [broken, text].map(async prompt => {
        const session = await model.session()
        await session.append(prompt)
        return session.tokens
      }),
    )
    assert.deepEqual(...sessions)
    assert.deepEqual(await model.score(broken), await model.score(text))
    const named = JSON.stringify(text)
    for (const form of [
      { choices: [broken] },
      { regex: broken },
      { grammar: `root ::= ${JSON.stringify(text).replace(text, broken)}` },
    ]) {
      const constraint = await model.compile(form)
      assert.equal(await constraint.accepts(text), true, Object.keys(form)[0])
      await constraint.dispose()
    }
    const constraint = await model.compile({ jsonSchema: { const: broken } })
    assert.equal(await constraint.accepts(named), true)
    await constraint.dispose()
  }
})

test('the parts of a prompt are one text', async () => {
  for (let cut = 0; cut <= story.length; cut++) {
    const parts = [story.slice(0, cut), { control: story.slice(cut) }]
    assert.deepEqual(await model.tokenize(parts), await model.tokenize(story))
    assert.deepEqual(await model.tokenize(parts, plain), await model.tokenize(story, plain))
  }
})

test('parses control tokens only in control parts', async () => {
  const { text } = begin
  const ids = await model.tokenize([{ control: text }, `a${text}`, { control: text }], plain)
  assert.deepEqual([ids[0], ids.at(-1)], [begin.id, begin.id])
  assert.equal(ids.filter(id => id === begin.id).length, 2)
  assert.equal(await model.detokenize(ids, { special: true }), `${text}a${text}${text}`)
  assert.deepEqual(await model.tokenize([text.slice(0, 4), { control: text.slice(4) }], plain), await model.tokenize(text, plain))
  assert.deepEqual(await model.tokenize([text], { ...plain, parseSpecial: true }), [begin.id])
})

test('keeps ids as they are, between texts and alone', async () => {
  const [first, second] = [await model.tokenize('Once', plain), await model.tokenize(' upon', plain)]
  assert.deepEqual(await model.tokenize(['Once', { ids: [end.id] }, { ids: new Int32Array(second) }], plain), [
    ...first,
    end.id,
    ...second,
  ])
  assert.deepEqual(await model.tokenize([5, 6]), [5, 6])
  assert.deepEqual(await model.tokenize([]), [])
  await rejectsWith('invalid-argument', /outside the vocabulary/, model.tokenize([{ ids: [model.info.vocabulary] }]))
})

test('models and sessions generate the same from parts as from the whole prompt', async () => {
  const options = { temperature: 0, maxTokens: 20 }
  const parts = ['Write a story', { control: ' about a fox' }, ' and a lantern.\n']
  const { text } = await model.generate(`${story}\n`, options)
  assert.equal((await model.generate(parts, options)).text, text)
  const session = await model.session()
  assert.equal((await session.generate(parts, options)).text, text)
  await session.dispose()
  const { tokens } = await model.attention(parts, { layers: [0], heads: [0] })
  assert.deepEqual(tokens, (await model.attention(`${story}\n`, { layers: [0], heads: [0] })).tokens)
})

test('an invalid part is an error that names it', async () => {
  for (const part of [{}, { control: 1 }, { ids: 'x' }, { ids: [1.5] }, { control: 'x', ids: [1] }, { text: 'x' }, null, ['x']]) {
    await rejectsWith('invalid-argument', /tokenize: expected .*token id/, model.tokenize(['a', part]))
  }
  await rejectsWith(
    'invalid-argument',
    /cannot be read/,
    model.tokenize([
      {
        get control() {
          throw new Error('no')
        },
      },
    ]),
  )
  await rejectsWith('invalid-argument', /expected a string, an array of token ids, or an array of parts/, model.tokenize(7))
})

test('reports the end token, and shows it on request', async () => {
  const options = { temperature: 0, maxTokens: 400 }
  const told = await model.generate(`${story}\n`, options)
  assert.deepEqual([told.finishReason, told.endToken], ['stop', end])
  const { endToken } = await model.generate(`${story}\n`, { ...options, maxTokens: 4 })
  assert.equal(endToken, undefined)
  const past = { ...options, stopAtEnd: false, maxTokens: told.tokens.length + 1 }
  assert.equal((await model.generate(`${story}\n`, past)).text, told.text)
  assert.equal((await model.generate(`${story}\n`, { ...past, special: true })).text, told.text + end.text)
  const stopped = await model.generate(`${story}\n`, { ...past, special: true, stop: end.text })
  assert.deepEqual([stopped.text, stopped.finishReason], [told.text, 'stop'])
})
