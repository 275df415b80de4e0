// audio.transcriptions.create, with Heed's own client and with OpenAI's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openai } from 'heed/openai'
import { withModel } from '../package/support.mjs'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { openaiOver } from './support.mjs'

const file = () => new File([wavFile(chirp(1.2))], 'talk.wav', { type: 'audio/wav' })
const withBoth = body =>
  withModel(whisperModel({ positions: 50 }), {}, async model => {
    for (const client of [openai(model), openaiOver(model)]) await body(client.audio.transcriptions, model)
  })

test('writes a transcript in every form', () =>
  withBoth(async (transcriptions, model) => {
    const expected = await model.transcribe(wavFile(chirp(1.2)), { words: true, language: 'en' })
    const text = expected.text.trim()
    const create = params => transcriptions.create({ file: file(), model: 'whisper-1', language: 'en', ...params })
    const usage = { type: 'duration', seconds: 2 }
    assert.deepEqual({ ...(await create({})) }, { text, usage })
    assert.equal(await create({ response_format: 'text' }), `${text}\n`)
    assert.match(await create({ response_format: 'srt' }), /^(1\n00:00:|$)/)
    assert.match(await create({ response_format: 'vtt' }), /^WEBVTT\n\n/)
    const verbose = await create({ response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] })
    assert.equal(verbose.language, 'english')
    assert.equal(verbose.task, 'transcribe')
    assert.equal(verbose.text, text)
    assert.equal(verbose.duration, expected.duration)
    assert.deepEqual(
      verbose.segments.map(({ id, start, end, tokens, avg_logprob }) => ({ id, start, end, tokens, avg_logprob })),
      expected.segments.map(({ start, end, tokens, logprob }, id) => ({ id, start, end, tokens, avg_logprob: logprob })),
    )
    assert.ok(verbose.segments.every(({ compression_ratio: ratio, seek }) => ratio > 0.2 && seek === 0))
    assert.equal(verbose.words.length, expected.segments.flatMap(({ words }) => words).length)
  }))

test('wrong parameters are errors that name them', () =>
  withBoth(async transcriptions => {
    const fails = (params, message) => assert.rejects(transcriptions.create(params), error => message.test(error.message))
    await fails({ model: 'whisper-1' }, /file/)
    await fails({ model: 'whisper-1', file: file(), response_format: 'diarized_json' }, /response_format/)
    await fails({ model: 'whisper-1', file: file(), timestamp_granularities: ['word'] }, /timestamp_granularities/)
    await fails({ model: 'whisper-1', file: file(), temperature: 2 }, /temperature/)
    await fails({ model: 'whisper-1', file: file(), language: 'de' }, /English only/)
    await fails({ model: 'whisper-1', file: new File(['OggS'], 'talk.ogg') }, /WAV/)
  }))
