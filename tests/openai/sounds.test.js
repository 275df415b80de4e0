// Sounds in messages: the bytes of a file in Base64.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openai } from 'heed/openai'
import { scriptedModel } from '../support/scripted_model.mjs'
import { withHearingModel } from '../support/seeing_model.mjs'
import { chirp, wavFile } from '../support/whisper_model.mjs'
import { asked, openaiOver, scripted, user, watched } from './support.mjs'

const file = wavFile(chirp(0.5))
const sound = (data = Buffer.from(file).toString('base64'), more) => ({
  type: 'input_audio',
  input_audio: { data, format: 'wav', ...more },
})
const text = text => ({ type: 'text', text })
const create = (client, ...content) => client.chat.completions.create(asked({ messages: [user(content)] }))

const hearing = (turns, body) =>
  withHearingModel(scriptedModel(turns), async model => {
    const watching = watched(model)
    for (const client of [openai(watching), openaiOver(watching)]) await body(client, watching)
  })

const refuses = (code, param, message, request) =>
  assert.rejects(request, error => {
    assert.match(error.message, message)
    assert.deepEqual([error.code, error.param], [code, param], error.message)
    return true
  })

test('a model that hears gets the sounds of users', () =>
  hearing(['A chirp.'], async (client, model) => {
    const { choices } = await create(client, text('What is it?'), sound())
    assert.equal(choices[0].message.content, 'A chirp.')
    const {
      steps: [{ prompt, promptIds }],
    } = await model.chats.at(-1)
    assert.equal(prompt.filter(part => part.audio).length, 1)
    assert.equal(prompt.find(part => part.audio).audio.data.length, 8000)
    assert.ok(promptIds.filter(id => id < 0).length >= 12)
  }))

test('responses take sounds, and those of earlier ones', () =>
  hearing(['A chirp.', 'Yes.'], async (client, model) => {
    const said = [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, sound()] }]
    const first = await client.responses.create({ input: said })
    assert.equal(first.output_text, 'A chirp.')
    await client.responses.create({ input: 'Really?', previous_response_id: first.id })
    const {
      steps: [{ prompt }],
    } = await model.chats.at(-1)
    assert.equal(prompt.filter(part => part.audio).length, 1)
    const wrong = [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: '*', format: 'wav' } }] }]
    await refuses(
      'invalid-argument',
      'input[0].content[0].input_audio.data',
      /not Base64/,
      client.responses.create({ input: wrong }),
    )
  }))

test('an error names the part that is no sound', () =>
  hearing(['A chirp.'], async client => {
    const at = 'messages[0].content[1]'
    const wrong = [
      ['invalid-argument', `${at}.input_audio`, /missing/, { type: 'input_audio' }],
      ['invalid-argument', `${at}.input_audio.data`, /missing/, sound(null)],
      ['invalid-argument', `${at}.input_audio.data`, /not Base64/, sound('*')],
      ['invalid-argument', `${at}.input_audio.format`, /"wav" or "mp3"/, sound(undefined, { format: 'ogg' })],
      ['invalid-argument', `${at}.input_audio`, /ends/, sound(Buffer.from(file.slice(0, 99)).toString('base64'))],
    ]
    for (const [code, param, message, part] of wrong) await refuses(code, param, message, create(client, sound(), part))
    assert.equal((await create(client, sound())).choices[0].message.content, 'A chirp.')
  }))

test('a model that hears nothing says so', () =>
  scripted(['No.'], client =>
    refuses(
      'unsupported',
      'messages[0].content[0].type',
      /hears nothing: it was loaded without a projector for audio/,
      create(client, sound()),
    ),
  ))
