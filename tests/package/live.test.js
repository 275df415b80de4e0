// Transcribing a sound that arrives, with a small random model: what is settled, what is not yet, ends and errors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { chirp, whisperModel } from '../support/whisper_model.mjs'
import { rejectsWith } from './support.mjs'

const rate = 16_000
const whole = { temperature: 0, timestamps: false } // each pass then writes one segment, of all that it hears
let model

before(async () => {
  model = await loadModel(whisperModel({ positions: 50 }))
})
after(() => model.dispose())

const pieces = (samples, count = 4000) =>
  Array.from({ length: Math.ceil(samples.length / count) }, (_, at) => samples.slice(at * count, (at + 1) * count))

/** A source that is asked for pieces one by one; `given` counts them. */
async function* arriving(list, given = { count: 0 }) {
  for (const piece of list) {
    given.count++
    yield piece
  }
}

test('the whole sound is transcribed at its end, from an iterable and a stream', async () => {
  const samples = chirp(3)
  const { text, segments } = await model.transcribe({ sampleRate: rate, data: samples }, whole)
  for (const data of [arriving(pieces(samples)), ReadableStream.from(pieces(samples))]) {
    const interim = [],
      arrived = []
    const heard = await model.transcribe(
      { sampleRate: rate, data },
      { ...whole, onInterim: found => interim.push(found), onSamples: piece => arrived.push(...piece) },
    )
    assert.equal(heard.text, text)
    assert.deepEqual(
      heard.segments,
      segments.map(segment => ({ ...segment, end: 3 })),
    )
    assert.equal(heard.duration, 3)
    assert.equal(heard.finishReason, 'end')
    assert.deepEqual(interim.at(-1), [])
    assert.deepEqual(Float32Array.from(arrived), samples)
  }
})

test('what may still change is told while the sound arrives', async () => {
  const given = { count: 0 }
  const samples = chirp(4)
  let go = () => {}
  async function* slowly() {
    yield samples.slice(0, 2 * rate)
    await new Promise(resolve => {
      go = resolve
    })
    yield* arriving(pieces(samples.slice(2 * rate)), given)
  }
  const interim = []
  const onInterim = found => {
    interim.push({ before: given.count, found })
    go()
  }
  const { segments } = await model.transcribe({ sampleRate: rate, data: slowly() }, { ...whole, onInterim })
  assert.equal(interim[0].before, 0)
  assert.equal(interim[0].found.length, 1)
  assert.ok(interim[0].found[0].end <= 2)
  assert.equal(segments.at(-1).end, 4)
})

test('after 25 seconds a segment is settled, and the next begins where it ends', async () => {
  const { segments, text } = await model.transcribe({ sampleRate: rate, data: arriving(pieces(chirp(32), 8 * rate)) }, whole)
  assert.ok(segments.length >= 2, `${segments.length} segments`)
  assert.equal(text, segments.map(segment => segment.text).join(''))
  for (const [at, { start, windowStart }] of segments.entries()) {
    assert.equal(start, at === 0 ? 0 : segments[at - 1].end)
    assert.equal(windowStart, start)
  }
})

test('an abort ends it while it waits for more, and the source is left', async () => {
  const stop = new AbortController()
  let isLeft = false
  const data = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isLeft = true
        return { done: true }
      },
    }),
  }
  const transcription = model.transcribe({ sampleRate: rate, data }, { ...whole, signal: stop.signal })
  setImmediate(() => stop.abort())
  assert.deepEqual(await transcription, { text: '', segments: [], language: 'auto', duration: 0, finishReason: 'abort' })
  assert.ok(isLeft)
})

test('leaving the loop ends it', async () => {
  const sound = { sampleRate: rate, data: arriving(pieces(chirp(2))) }
  for await (const segment of model.transcribe(sound, whole)) {
    assert.ok(segment.text.length > 0)
    break
  }
})

test('errors of the source and of its pieces', async () => {
  const broken = new Error('the cable is out')
  async function* breaks() {
    yield chirp(0.1)
    throw broken
  }
  await assert.rejects(model.transcribe({ sampleRate: rate, data: breaks() }, whole).result, error => error === broken)
  const numbers = model.transcribe({ sampleRate: rate, data: arriving([[1, 2, 3]]) }, whole)
  await rejectsWith('invalid-argument', /must be Float32Arrays/, () => numbers.result)
  assert.throws(() => model.transcribe({ data: arriving([]) }), /a sampleRate in Hz/)
  assert.throws(() => model.transcribe({ getAudioTracks: () => [] }), /a MediaStream with an audio track/)
  await rejectsWith('unsupported', /no audio worklets/, () => model.transcribe({ getAudioTracks: () => [{}] }).result)
  const sound = { sampleRate: rate, data: chirp(1) }
  assert.throws(() => model.transcribe(sound, { onInterim: 1 }), /onInterim/)
  assert.throws(() => model.transcribe(sound, { onSamples: 1 }), /onSamples/)
})
