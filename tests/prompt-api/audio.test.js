// Audio in prompts of the Prompt API.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadModel } from 'heed'
import { createLanguageModel } from 'heed/prompt-api'
import { withModel } from '../package/support.mjs'
import { hearingProjectorFile } from '../support/projector_model.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { chirp, wavFile } from '../support/whisper_model.mjs'
import { joined, languageModel, rejectsAs, user } from './support.mjs'

const source = scriptedModel(['A chirp.', 'A hum.'], { context: 512 })
const projector = hearingProjectorFile(await withModel(source, { threads: 1 }, async ({ info }) => info.width))
const model = await loadModel(source, { projector, threads: 1 })
after(() => model.dispose())
const { create, availability } = createLanguageModel({ model })

const expectedInputs = [{ type: 'audio' }]
const text = value => ({ type: 'text', value })
const audio = value => ({ type: 'audio', value })
const samples = chirp(0.5)
const file = wavFile(samples)
const ask = value => [user([text('Describe this: '), audio(value)])]

test('availability and creation say whether the model hears', async () => {
  assert.equal(await availability({ expectedInputs }), 'available')
  await create({ expectedInputs })
  assert.equal(await availability({ expectedInputs: [{ type: 'image' }] }), 'unavailable')
  const Plain = await languageModel(['No.'])
  assert.equal(await Plain.availability({ expectedInputs }), 'unavailable')
  await rejectsAs('NotSupportedError', Plain.create({ expectedInputs }))
  const load = async (source, options) => loadModel(source, { ...options, threads: 1 })
  assert.equal(await createLanguageModel({ source, projector, load }).availability({ expectedInputs }), 'downloadable')
  const Odd = createLanguageModel({ source, projector, load: source => loadModel(source, { threads: 1 }) })
  await rejectsAs('NotSupportedError', Odd.create({ expectedInputs }))
})

test('an answer to a sound in each form, which counts as context', async () => {
  const buffer = { sampleRate: 16_000, numberOfChannels: 1, getChannelData: () => samples }
  const forms = [new Blob([file]), file.slice().buffer, new DataView(file.slice().buffer), file, buffer]
  for (const value of forms) {
    const session = await create({ expectedInputs })
    assert.equal(await session.prompt(ask(value)), 'A chirp.')
    assert.ok(session.contextUsage > 12)
    assert.equal(await joined(session.promptStreaming('And?')), 'A hum.')
  }
  const session = await create({ expectedInputs })
  const of = await session.measureContextUsage(ask(file))
  assert.ok(of - (await session.measureContextUsage('Describe this: ')) >= 12)
})

test('what is no sound is refused, and so is audio that was not expected', async () => {
  const session = await create({ expectedInputs })
  for (const value of ['chirp.wav', {}, 5]) await assert.rejects(session.prompt(ask(value)), TypeError)
  await rejectsAs('InvalidStateError', session.prompt(ask(file.slice(0, 99))))
  await rejectsAs('NotSupportedError', (await create()).prompt(ask(file)))
  assert.equal(await session.prompt(ask(file)), 'A chirp.')
})
