// The command that transcribes: its text, subtitles and JSON, and wrong usage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { fails, file, output } from './support.mjs'

const model = file('ggml-tiny.bin', whisperModel({ positions: 50 }))
const sound = file('talk.wav', wavFile(chirp(1.2)))
const transcribe = (...args) => output('transcribe', model, sound, '--temperature', '0', ...args)

test('prints the text, subtitles and JSON of the same transcript', () => {
  const { text, segments, language, duration } = JSON.parse(transcribe('--json', '--words'))
  assert.equal(language, 'en')
  assert.ok(Math.abs(duration - 1.19) < 0.011)
  assert.equal(segments.map(segment => segment.text).join(''), text)
  assert.ok(segments.every(({ words }) => words.length > 0))
  assert.equal(transcribe(), segments.map(segment => `${segment.text.trim()}\n`).join(''))
  const cues = segments.filter(segment => segment.text.trim() !== '').length
  assert.equal(transcribe('--srt').match(/^\d+\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\n.+\n\n/gm)?.length ?? 0, cues)
  const vtt = transcribe('--vtt')
  assert.ok(vtt.startsWith('WEBVTT\n\n'))
  assert.equal(vtt.match(/^\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}\n.+\n\n/gm)?.length ?? 0, cues)
})

test('wrong usage and damaged sounds are one line', () => {
  fails(2, /no sound/, 'transcribe', model)
  fails(2, /cannot be used together/, 'transcribe', model, sound, '--srt', '--json')
  fails(1, /missing\.wav/, 'transcribe', model, 'missing.wav')
  fails(2, /ends after/, 'transcribe', model, file('cut.wav', wavFile(chirp(1)).slice(0, 100)))
  fails(1, /not a WAV file/, 'transcribe', model, file('talk.ogg', 'OggS and more'))
  fails(1, /English only/, 'transcribe', model, sound, '--language', 'de')
})
