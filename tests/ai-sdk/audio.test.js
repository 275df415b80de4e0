// Audio in prompts of the AI SDK: file parts with a media type of audio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, UnsupportedFunctionalityError } from 'ai'
import { heed } from 'heed/ai-sdk'
import { scriptedModel } from '../support/scripted_model.mjs'
import { withHearingModel } from '../support/seeing_model.mjs'
import { chirp, wavFile } from '../support/whisper_model.mjs'
import { scripted } from './support.mjs'

const file = wavFile(chirp(0.5))
const text = { type: 'text', text: 'What is this?' }
const messages = (...content) => [{ role: 'user', content }]
const isUnsupported = message => error => UnsupportedFunctionalityError.isInstance(error) && message.test(error.message)

test('a model that hears gets files of audio in each form', () =>
  withHearingModel(scriptedModel(['A chirp.']), async model => {
    const address = URL.createObjectURL(new Blob([file]))
    for (const data of [file, Buffer.from(file).toString('base64'), new URL(address)]) {
      const part = { type: 'file', data, mediaType: 'audio/wav' }
      const { text: answer, usage } = await generateText({ model: heed(model), temperature: 0, messages: messages(text, part) })
      assert.equal(answer, 'A chirp.')
      assert.ok(usage.inputTokens > 12)
    }
    URL.revokeObjectURL(address)
    const damaged = { type: 'file', data: { type: 'data', data: file.slice(0, 99) }, mediaType: 'audio/wav' }
    await assert.rejects(heed(model).doGenerate({ prompt: messages(text, damaged) }), { code: 'invalid-argument', index: 0 })
    const far = { type: 'file', data: { type: 'url', url: new URL('https://heed.example/a.wav') }, mediaType: 'audio/wav' }
    await assert.rejects(heed(model).doGenerate({ prompt: messages(text, far) }), isUnsupported(/audio at https:/))
  }))

test('a model that hears nothing says so', () =>
  scripted(['No.'], async model => {
    const part = { type: 'file', data: { type: 'data', data: file }, mediaType: 'audio/wav' }
    await assert.rejects(heed(model).doGenerate({ prompt: messages(text, part) }), isUnsupported(/without a projector for audio/))
  }))
