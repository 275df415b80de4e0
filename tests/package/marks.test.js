// U+FEFF marks a file's encoding only at its very beginning; everywhere else it is a character: tokens, detokenized, generated,
// streamed and chat text, and a file's metadata all keep it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedModel } from '../support/scripted_model.mjs'
import { withModel } from './support.mjs'

const mark = '\uFEFF'
const said = `${mark}one, ${mark}${mark}two and then quite some more words.${mark} The end${mark}`

test('generated text keeps every U+FEFF', () =>
  withModel(scriptedModel([said]), { threads: 1 }, async model => {
    const messages = [{ role: 'user', content: 'Hi' }],
      options = { temperature: 0, maxTokens: 400 }
    assert.equal((await model.chat(messages, options)).text, said)
    const prompt = [{ control: '<|turn0|>' }]
    const generation = model.generate(prompt, options)
    let streamed = ''
    for await (const { text } of generation) streamed += text
    assert.equal(streamed, said)
    assert.equal((await generation).text, said)
    assert.equal((await model.generate(prompt, { ...options, stop: ['The end'] })).text, said.slice(0, said.indexOf('The end')))
  }))

test('text beside markup keeps its U+FEFF', () =>
  withModel(scriptedModel([`<think>${mark}Hm.${mark}</think>\n\n${mark}Yes.`]), { threads: 1 }, async model => {
    const { text, reasoning } = await model.chat([{ role: 'user', content: 'Hi' }], { temperature: 0, maxTokens: 400 })
    assert.deepEqual({ text, reasoning }, { text: `${mark}Yes.`, reasoning: `${mark}Hm.${mark}` })
  }))

test('texts of tokens keep every U+FEFF', () =>
  withModel(scriptedModel(['x']), { threads: 1 }, async model => {
    for (const text of [mark, `${mark}a`, `a${mark}`, `${mark}${mark}`, `${mark}a-longer-text,-of-more-than-sixteen-bytes`]) {
      const ids = await model.tokenize(text, { addSpecial: false })
      assert.equal((await model.detokenize(ids)).replace(/^ /, ''), text)
    }
  }))

test('metadata keep a U+FEFF', async () => {
  const file = scriptedModel(['x'])
  file.write(`${mark}tidy.`, file.indexOf('scripted'))
  await withModel(file, { threads: 1 }, async ({ info }) => assert.equal(info.name, `${mark}tidy.`))
})
