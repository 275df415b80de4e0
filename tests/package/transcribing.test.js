// Transcribing with small random models: what sounds are taken, results, events, ends, and errors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { defaultModelBytes, forcing, modules, rejectsWith, withModel } from './support.mjs'

let model
const quick = { temperature: 0, timestamps: false }

before(async () => {
  model = await loadModel(whisperModel({ positions: 50 }))
})
after(() => model.dispose())

const plain = ({ text, segments, language }) => ({ text, segments, language })

test('a model says that it transcribes, and nothing else', () => {
  const { architecture, transcribes, generates, embeds } = model.info
  assert.deepEqual(
    { architecture, transcribes, generates, embeds },
    { architecture: 'whisper', transcribes: true, generates: false, embeds: false },
  )
})

test('the same sound in all its forms has the same transcript', async () => {
  const samples = chirp(1.5)
  const expected = await model.transcribe({ sampleRate: 16_000, data: samples }, quick)
  assert.ok(expected.text.length > 0)
  assert.equal(expected.language, 'en')
  assert.equal(expected.finishReason, 'end')
  assert.ok(Math.abs(expected.duration - 1.49) < 0.011, `${expected.duration}`)
  const twice = [Array.from(samples), Float64Array.from(samples)]
  assert.deepEqual(plain(await model.transcribe({ sampleRate: 16_000, data: twice }, quick)), plain(expected))
  const buffer = { sampleRate: 16_000, numberOfChannels: 2, getChannelData: () => samples }
  assert.deepEqual(plain(await model.transcribe(buffer, quick)), plain(expected))

  const wav = wavFile(samples)
  const ofFile = await model.transcribe(wav, quick)
  for (const file of [wav.slice().buffer, new Blob([wav])]) {
    assert.deepEqual(plain(await model.transcribe(file, quick)), plain(ofFile))
  }
})

test('the caller may change the samples after the call', async () => {
  const [kept, changed] = [chirp(1), chirp(1)]
  const transcription = model.transcribe({ sampleRate: 16_000, data: changed }, quick)
  changed.fill(0)
  assert.deepEqual(plain(await transcription), plain(await model.transcribe({ sampleRate: 16_000, data: kept }, quick)))
})

test('segments arrive one by one, with progress', async () => {
  const sound = { sampleRate: 16_000, data: chirp(65) }
  const reports = []
  const transcription = model.transcribe(sound, { ...quick, onProgress: progress => reports.push(progress) })
  const segments = []
  for await (const segment of transcription) segments.push(segment)
  const transcript = await transcription
  assert.deepEqual(segments, transcript.segments)
  assert.ok(segments.length >= 2, `${segments.length} segments`)
  assert.equal(transcript.text, segments.map(({ text }) => text).join(''))
  assert.deepEqual(reports.at(-1), { done: transcript.duration, total: transcript.duration })
  assert.ok(reports.every(({ done }, at) => at === 0 || done >= reports[at - 1].done))
  for (const { start, end, logprob, noSpeechProbability, temperature } of segments) {
    assert.ok(start < end && logprob < 0 && noSpeechProbability >= 0 && noSpeechProbability <= 1 && temperature === 0)
  }
})

test('words have times inside their segments, in order', async () => {
  const { segments } = await model.transcribe({ sampleRate: 16_000, data: chirp(2) }, { ...quick, words: true })
  assert.ok(segments.length > 0)
  for (const { words, text, end } of segments) {
    assert.equal(words.map(word => word.text).join(''), text.replaceAll(' ', ''))
    for (const [at, word] of words.entries()) {
      assert.ok(word.start <= word.end, `${word.start} to ${word.end}`)
      if (at > 0) assert.ok(word.start >= words[at - 1].start)
    }
    assert.ok(words.at(-1).end <= Math.max(end, words.at(-1).start))
  }
})

test('words have the attention of heads to the sound, if it is asked for', async () => {
  await withModel(whisperModel({ positions: 50, layers: 2 }), {}, async two => {
    const sound = { sampleRate: 16_000, data: chirp(2) }
    const wordsOf = async attention => (await two.transcribe(sound, { ...quick, attention })).segments.flatMap(({ words }) => words)
    const all = await wordsOf(true)
    const one = await wordsOf({ layers: [1], heads: [0] })
    assert.ok(all.length > 0)
    for (const [at, { attention }] of all.entries()) {
      const places = attention.map(({ layer, head }) => [layer, head])
      assert.deepEqual(places, [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ])
      for (const { weights } of attention) {
        assert.equal(weights.length, 50)
        assert.ok(Math.abs(weights.reduce((total, weight) => total + weight, 0) - 1) < 1e-4)
      }
      assert.deepEqual(one[at].attention, [attention[2]])
    }
    const plainly = await two.transcribe(sound, { ...quick, words: true, attention: false })
    assert.ok(plainly.segments.every(({ words }) => words.every(word => !('attention' in word))))
    await rejectsWith('invalid-argument', /layers: 2 is out of range/, wordsOf({ layers: [2] }))
    await rejectsWith('invalid-argument', /has no option "layer"/, wordsOf({ layer: 2 }))
  })
})

test('an abort ends a transcription with what it has; so does leaving the loop', async () => {
  const sound = { sampleRate: 16_000, data: chirp(95) }
  const stop = new AbortController()
  const transcription = model.transcribe(sound, { ...quick, signal: stop.signal })
  for await (const _ of transcription) stop.abort()
  const { finishReason, segments } = await transcription
  assert.equal(finishReason, 'abort')
  assert.ok(segments.length >= 1 && segments.length < 4, `${segments.length}`)

  const left = model.transcribe(sound, quick)
  for await (const _ of left) break
  assert.equal((await left).finishReason, 'abort')
  assert.equal((await model.transcribe(sound, { signal: AbortSignal.abort() })).finishReason, 'abort')
  assert.equal((await model.transcribe({ sampleRate: 16_000, data: chirp(1) }, quick)).finishReason, 'end') // goes on
})

test('a multilingual model detects the language, or is told it', async () => {
  await withModel(whisperModel({ vocabulary: 51865, positions: 50 }), {}, async many => {
    const sound = { sampleRate: 16_000, data: chirp(1) }
    assert.match((await many.transcribe(sound, quick)).language, /^[a-z]{2,3}$/)
    const told = await many.transcribe(sound, { ...quick, language: 'de', task: 'translate' })
    assert.equal(told.language, 'de')
    await rejectsWith('invalid-argument', /'xx' is not the code/, many.transcribe(sound, { language: 'xx' }))
  })
})

test('every module has the same bits', { skip: modules.length < 2 }, async () => {
  const sound = { sampleRate: 44_100, data: chirp(2, 44_100) }
  const transcripts = []
  for (const name of modules) {
    await withModel(whisperModel({ positions: 50 }), forcing(name), async one => {
      transcripts.push(plain(await one.transcribe(sound, { words: true, temperature: [0, 0.8], seed: 4 })))
    })
  }
  for (const transcript of transcripts.slice(1)) assert.deepEqual(transcript, transcripts[0])
})

test('damaged sounds fail with one typed error, and the model goes on', async () => {
  const wav = wavFile(chirp(0.5))
  const fails = (code, message, sound) => rejectsWith(code, message, model.transcribe(sound, quick))
  await fails('invalid-argument', /ends after 100 of 16000 bytes/, wav.slice(0, 144))
  await fails('invalid-argument', /ends inside its header/, wav.slice(0, 30))
  await fails('invalid-argument', /no samples/, wavFile([]))
  await fails('invalid-argument', /no samples/, { sampleRate: 16_000, data: [] })
  await fails('invalid-argument', /sample 1 is no finite number/, { sampleRate: 16_000, data: [0, NaN] })
  await fails('invalid-argument', /sample 0 is no finite number/, { sampleRate: 16_000, data: [100] })
  await fails('invalid-argument', /1 samples per second/, wavFile(chirp(0.5), { rate: 1 }))
  await fails('invalid-argument', /1000000 samples per second/, wavFile(chirp(0.5), { rate: 1_000_000 }))
  await fails('unsupported', /not a WAV file/, new TextEncoder().encode('OggS, which Node does not decode'))
  assert.equal((await model.transcribe(wav, quick)).finishReason, 'end')
})

test('what is not audio, and options that do not exist, fail at once', () => {
  for (const audio of [
    undefined,
    null,
    'talk.wav',
    7,
    {},
    { sampleRate: 16_000 },
    { data: [0] },
    { sampleRate: 16_000, data: [[0], [0, 1]] },
  ]) {
    assert.throws(() => model.transcribe(audio), { code: 'invalid-argument' }, JSON.stringify(audio))
  }
  const sound = { sampleRate: 16_000, data: [0] }
  assert.throws(() => model.transcribe(sound, { langauge: 'de' }), /no option "langauge"/)
  for (const options of [{ task: 'sing' }, { temperature: -1 }, { temperature: [] }, { words: 1 }, { language: '' }]) {
    assert.throws(() => model.transcribe(sound, options), { code: 'invalid-argument' }, JSON.stringify(options))
  }
})

test('models that do not transcribe, and models that only do, say so', async () => {
  await withModel(defaultModelBytes(), {}, async text => {
    assert.equal(text.info.transcribes, false)
    await rejectsWith('unsupported', /does not transcribe/, text.transcribe({ sampleRate: 16_000, data: chirp(1) }))
  })
  await rejectsWith('unsupported', /./, model.generate('Once', { maxTokens: 1 }).result)
  await rejectsWith('unsupported', /English only/, model.transcribe({ sampleRate: 16_000, data: chirp(1) }, { language: 'de' }))
})

test('damaged model files fail with one typed error', async () => {
  const file = whisperModel({ positions: 50 })
  await rejectsWith('invalid-file', /ends/, loadModel(file.slice(0, 1000)))
  await rejectsWith('invalid-file', /ends after/, loadModel(file.slice(0, -1)))
  const other = file.slice()
  other[4] = 0 // n_vocab
  await rejectsWith('invalid-file', /n_vocab/, loadModel(other))
})
