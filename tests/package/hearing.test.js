// Audio in prompts: text models with projectors for audio, against the references of ../shared, and with a small one of our own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { hearingProjectorFile, projectorFile, shaded } from '../support/projector_model.mjs'
import { chirp, wavFile } from '../support/whisper_model.mjs'
import { defaultModelPath, rejectsWith, sharedFile, withModel } from './support.mjs'

const oracle = (...parts) => sharedFile('audio', ...parts)
const hasXz = spawnSync('xz', ['--version']).status === 0
const skip = !existsSync(oracle()) ? 'there is no ../shared/audio' : hasXz ? false : 'there is no xz'

const unpacked = name =>
  name.endsWith('.xz')
    ? new Uint8Array(spawnSync('xz', ['-dc', oracle(name)], { maxBuffer: 2 ** 30 }).stdout)
    : new Uint8Array(readFileSync(oracle(name)))
const readJson = name => JSON.parse(readFileSync(oracle(name), 'utf8'))
const cases = skip ? [] : Object.keys(readJson('index.json').cases).filter(name => name.endsWith('--prompt'))

test('the references of audio in prompts are there', { skip }, () => assert.equal(cases.length, 40))

const greedy = { temperature: 0, stopAtEnd: false, maxTokens: 8 }
const ids = ({ tokens }) => tokens.map(({ id }) => id)
const sine = (samples, frequency = 440, rate = 16_000) =>
  Float32Array.from({ length: samples }, (_, at) => 0.5 * Math.sin((2 * Math.PI * frequency * at) / rate))

for (const name of cases) {
  const { model: text, mmproj, media, prompt, greedy: expected, greedy_gap: gaps, chunks, projector } = readJson(`ref/${name}.json`)
  if (media.some(file => !file.endsWith('.wav.xz'))) continue // an image, which the native program reads
  test(`${name}: gives the reference's rows and tokens`, async () => {
    const sounds = media.map(file => unpacked(`audio/${file}`))
    const parts = prompt
      .split('<audio>')
      .flatMap((piece, at) => [...(at > 0 ? [{ audio: sounds[at - 1] }] : []), ...(piece ? [{ control: piece }] : [])])
    const options = { projector: unpacked(`models/${mmproj}`), threads: 2, contextLength: 2048 }
    await withModel(unpacked(`models/${text}`), options, async loaded => {
      const planned = await loaded.tokenize(parts)
      assert.deepEqual(
        planned,
        chunks.flatMap(({ type, tokens, n_tokens: rows }) => (type === 'text' ? tokens : Array(rows).fill(-1))),
      )
      const sure = gaps.findIndex(gap => gap < 0.005)
      const count = sure < 0 ? expected.length : sure
      const written = await loaded.generate(parts, { ...greedy, maxTokens: expected.length })
      assert.deepEqual(ids(written).slice(0, count), expected.slice(0, count))
      assert.equal(loaded.info.acceptsAudio, true, projector)
    })
  })
}

let model, projector
before(async () => {
  projector = await withModel(undefined, {}, async ({ info: { width } }) => hearingProjectorFile(width))
  model = await loadModel(undefined, { projector, threads: 2 })
})
after(() => model.dispose())

const sound = (samples, frequency) => ({ sampleRate: 16_000, data: sine(samples, frequency) })
const prompt = (...sounds) => ['Once ', ...sounds.flatMap(audio => [{ audio }, ' upon']), ' a time']
const plain = { ...greedy, maxTokens: 6 }

test('info says which models hear', async () => {
  assert.deepEqual([model.info.acceptsAudio, model.info.acceptsImages, model.info.transcribes], [true, false, false])
  await withModel(undefined, { threads: 1 }, async ({ info }) => assert.equal(info.acceptsAudio, false))
  const width = model.info.width
  await withModel(undefined, { threads: 1, projector: projectorFile(width) }, async ({ info }) =>
    assert.deepEqual([info.acceptsAudio, info.acceptsImages], [false, true]),
  )
})

test('tokens are counted before a sound is read', async () => {
  const rows = async samples =>
    (await model.tokenize([{ audio: sound(samples) }], { addSpecial: false })).filter(id => id < 0).length
  assert.equal(await rows(640), 1)
  assert.equal(await rows(641), 2)
  assert.equal(await rows(16_000), 25)
  const all = await model.tokenize([{ audio: sound(16_000) }], { addSpecial: false })
  assert.equal(await model.audioTokens(sound(16_000)), all.length)
  assert.equal(await model.audioTokens({ duration: 1 }), all.length)
})

test('a sound is the same whenever it comes, and another is another', async () => {
  const first = await model.generate(prompt(sound(3000)), plain)
  const again = await model.generate(prompt(sound(3000)), plain)
  assert.deepEqual(ids(again), ids(first))
  assert.equal(again.timings.reusedTokens, again.timings.promptTokens - 1)
  const other = await model.generate(prompt(sound(3000, 900)), plain)
  assert.ok(other.timings.reusedTokens < again.timings.reusedTokens)
  await withModel(undefined, { projector, threads: 1, prefixCache: 0 }, async fresh => {
    assert.deepEqual(ids(await fresh.generate(prompt(sound(3000, 900)), plain)), ids(other))
    assert.deepEqual(ids(await fresh.generate(prompt(sound(3000)), plain)), ids(first))
  })
})

test('all forms of a sound are the same sound', async () => {
  const samples = chirp(0.5)
  const wav = wavFile(samples)
  const expected = await model.logits([{ audio: wav }, ' a'], { positions: [-1] })
  for (const audio of [wav.slice().buffer, new Blob([wav]), new DataView(wav.slice().buffer)])
    assert.deepEqual(await model.logits([{ audio }, ' a'], { positions: [-1] }), expected)
  const buffer = { sampleRate: 16_000, numberOfChannels: 2, getChannelData: () => samples }
  const plainly = await model.logits([{ audio: { sampleRate: 16_000, data: samples } }, ' a'], { positions: [-1] })
  assert.deepEqual(await model.logits([{ audio: buffer }, ' a'], { positions: [-1] }), plainly)
  const faster = { sampleRate: 48_000, data: sine(24_000, 440, 48_000) }
  assert.equal(await model.audioTokens(faster), await model.audioTokens({ duration: 0.5 }))
})

test('the caller may change the samples after the call', async () => {
  const changed = sine(3000)
  const reading = model.generate(prompt({ sampleRate: 16_000, data: changed }), plain)
  changed.fill(0)
  assert.deepEqual(ids(await reading), ids(await model.generate(prompt(sound(3000)), plain)))
})

test('sessions, inspection and several sounds', async () => {
  const session = await model.session()
  await session.append(['Once ', { audio: sound(2000) }, ' there', { audio: sound(900) }])
  const { text } = await session.generate(' was', plain)
  const whole = ['Once ', { audio: sound(2000) }, ' there', { audio: sound(900) }, ' was']
  assert.equal((await model.generate(whole, plain)).text, text)
  const { tokens, states } = await model.hidden(whole, { layers: [0] })
  assert.equal(tokens.filter(({ id }) => id < 0).length, 4 + 2)
  assert.ok(states[0].every(Number.isFinite))
  const [best] = await model.score(prompt(sound(800)), [' red', ' blue'])
  assert.ok(Number.isFinite(best.logprob ?? best.sum ?? 0))
  await session.dispose()
})

const template =
  '{% for m in messages %}{{ m.role }}: {% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}\n{% endfor %}'

test('a chat takes sounds in its messages', async () => {
  const ask = audio =>
    model.chat(
      [
        {
          role: 'user',
          content: [
            { type: 'audio', audio },
            { type: 'text', text: 'What is it?' },
          ],
        },
      ],
      { temperature: 0, maxTokens: 6, template },
    )
  const { steps, text } = await ask(sound(2000))
  assert.equal(typeof text, 'string')
  assert.equal(steps[0].promptIds.filter(id => id < 0).length, 4)
  const heard = steps[0].prompt.find(part => part.audio)
  assert.deepEqual(heard.audio.data, sine(2000))
  const again = await model.generate(steps[0].prompt, { ...plain, addSpecial: false })
  assert.ok(again.timings.promptTokens >= steps[0].promptIds.length - 1) // the first may be added by the vocabulary
  await rejectsWith('invalid-argument', /^chat: audio: has no samples/, ask({ sampleRate: 16_000, data: [] }))
})

test('what is no sound is an error, and the model works on', async () => {
  const none = /no samples|ends|too short/
  const wrong = [
    ['invalid-argument', none, { sampleRate: 16_000, data: [] }],
    ['invalid-argument', /no finite number|finite/, { sampleRate: 16_000, data: [0, Number.NaN] }],
    ['invalid-argument', /finite/, { sampleRate: 16_000, data: [0, Infinity] }],
    ['invalid-argument', /999 samples per second/, { sampleRate: 999, data: sine(3000) }],
    ['invalid-argument', /samples per second/, { sampleRate: 5e8, data: sine(3000) }],
    ['invalid-argument', /sampleRate/, { sampleRate: -1, data: sine(3000) }],
    ['invalid-argument', /audio/, 'talk.wav'],
    ['invalid-argument', /audio/, 5],
    ['invalid-argument', /ends/, wavFile(chirp(1)).slice(0, 99)],
    ['unsupported', /WAV/, new Uint8Array(64).fill(7)],
    // Ten hours at the lowest rate, which are not converted first.
    ['context-overflow', /do not fit in a context/, { sampleRate: 1000, data: new Float32Array(36_000_000) }],
  ]
  for (const [code, message, audio] of wrong) {
    await rejectsWith(code, message, () => model.generate([{ audio }, ' a'], plain))
    await rejectsWith(code, message, () => model.audioTokens(audio))
  }
  await rejectsWith('invalid-argument', /duration/, () => model.audioTokens({ duration: 0 }))
  await rejectsWith('invalid-argument', /audio has no option "loud"/, () =>
    model.generate([{ audio: sound(900), loud: true }], plain),
  )
  await rejectsWith('unsupported', /no audio here/, () => model.embed([[{ audio: sound(900) }]]))
  assert.ok((await model.generate(prompt(sound(3000)), plain)).tokens.length > 0)
})

test('models that hear nothing say so', async () => {
  const given = [{ audio: sound(900) }, ' a']
  await withModel(undefined, { threads: 1 }, async deaf => {
    await rejectsWith('unsupported', /generate: .* hears nothing: it was loaded without a projector for audio/, () =>
      deaf.generate(given),
    )
    await rejectsWith('unsupported', /audioTokens: .* hears nothing/, () => deaf.audioTokens({ duration: 1 }))
    const messages = [{ role: 'user', content: [{ type: 'audio', audio: sound(900) }] }]
    await rejectsWith('invalid-argument', /messages\[0\]\.content\[0\]\.type/, () => deaf.chat(messages, { template }))
  })
  await withModel(undefined, { threads: 1, projector: projectorFile(model.info.width) }, async sees => {
    await rejectsWith('unsupported', /hears nothing/, () => sees.generate(given))
    assert.ok((await sees.generate([{ image: shaded(3) }, ' a'], plain)).tokens.length > 0)
  })
  await rejectsWith('unsupported', /reads no images/, () => model.generate([{ image: shaded(3) }, ' a'], plain))
  await rejectsWith('invalid-file', /clip.audio.projection_dim/, () =>
    loadModel(defaultModelPath, { threads: 1, projector: hearingProjectorFile(model.info.width + 1) }),
  )
})
