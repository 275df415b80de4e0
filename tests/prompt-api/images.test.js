// Images in prompts of the Prompt API. The tests follow web-platform-tests in ai/language-model: language-model-prompt-multimodal,
// -create-multimodal and -availability-available-multimodal.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadModel } from 'heed'
import { createLanguageModel } from 'heed/prompt-api'
import { withModel } from '../package/support.mjs'
import { jpegFile, pngFrom } from '../support/image_files.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { assistant, joined, languageModel, rejectsAs, rejectsExactly, rejectsQuota, system, user } from './support.mjs'

const source = scriptedModel(['A fox.', 'An owl.', 'A hen.'], { context: 512 })
const projector = projectorFile(await withModel(source, { threads: 1 }, async ({ info }) => info.width))
const model = await loadModel(source, { projector, threads: 1 })
after(() => model.dispose())
const { create, availability } = createLanguageModel({ model })

const expectedInputs = [{ type: 'image' }]
const text = value => ({ type: 'text', value })
const image = value => ({ type: 'image', value })
const file = shade => pngFrom(shaded(shade))
const fox = new Blob([file(3)])
const describe = (...values) => [user([text('Describe this: '), ...values.map(image)])]
/** The number of rows of an image; other tokens are around it. */
const rows = 4

test('availability and creation say whether the model reads images', async () => {
  const asked = [{ expectedInputs }, { expectedInputs: [{ type: 'text' }, { type: 'image', languages: ['en'] }] }]
  const Plain = await languageModel(['No.'])
  const load = async (source, options) => loadModel(source, { ...options, threads: 1 })
  const Later = createLanguageModel({ source, projector, load })
  const Never = createLanguageModel({ source, load })
  for (const options of asked) {
    assert.equal(await availability(options), 'available')
    assert.equal(await Plain.availability(options), 'unavailable')
    assert.equal(await Later.availability(options), 'downloadable')
    assert.equal(await Never.availability(options), 'unavailable')
    await rejectsAs('NotSupportedError', Plain.create(options))
    await rejectsAs('NotSupportedError', Never.create(options))
    await create(options)
  }
  for (const options of [{ expectedInputs: [{ type: 'audio' }, ...expectedInputs] }, { expectedOutputs: expectedInputs }]) {
    assert.equal(await availability(options), 'unavailable')
    await rejectsAs('NotSupportedError', create(options))
  }
  const Odd = createLanguageModel({ source, projector, load: source => loadModel(source, { threads: 1 }) })
  await rejectsAs('NotSupportedError', Odd.create({ expectedInputs }))
  assert.equal(await Odd.availability({ expectedInputs }), 'unavailable')
})

test('an answer to an image in each form, which counts as context', async () => {
  const bytes = file(3)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const forms = [fox, new File([fox], 'fox.png'), buffer, new DataView(buffer), bytes, shaded(3)]
  const usages = []
  for (const value of forms) {
    const session = await create({ expectedInputs })
    assert.equal(await session.prompt(describe(value)), 'A fox.')
    usages.push(session.contextUsage)
    assert.equal(await joined(session.promptStreaming('And?')), 'An owl.')
  }
  assert.deepEqual(
    usages,
    forms.map(() => usages[0]),
  )
  const session = await create({ expectedInputs })
  const alone = await session.measureContextUsage('Describe this: ')
  const ofImage = (await session.measureContextUsage(describe(fox))) - alone
  assert.ok(ofImage >= rows)
  assert.equal(await session.measureContextUsage(describe(fox, jpegFile('baseline'))), alone + 2 * ofImage)
  assert.equal(session.contextUsage, 0)
})

test('initial and appended images stay in the conversation', async () => {
  const initialPrompts = [system('Be brief.'), ...describe(fox)]
  const session = await create({ expectedInputs, initialPrompts })
  const usage = await session.measureContextUsage(initialPrompts)
  assert.equal(session.contextUsage, usage)
  await session.append(describe(file(5)))
  const more = session.contextUsage - usage
  assert.equal(more, (await session.measureContextUsage(describe(file(5)))) - 1) // without another BOS
  assert.equal(await session.prompt('What are they?'), 'A fox.')
  const other = await session.clone()
  assert.equal(await other.prompt(describe(file(7))), 'An owl.')
  assert.equal(await session.prompt('And?'), 'An owl.')
  assert.ok(other.contextUsage >= session.contextUsage)
})

test('the model reads the same of images as in a chat', async () => {
  const read = []
  const watched = new Proxy(model, {
    get(target, name) {
      if (name !== 'session') return typeof target[name] === 'function' ? target[name].bind(target) : target[name]
      return async () => {
        const session = await target.session()
        const { chat } = session
        return Object.assign(session, {
          chat(...args) {
            return read[read.push(chat.apply(session, args)) - 1]
          },
        })
      }
    },
  })
  const session = await createLanguageModel({ model: watched }).create({ expectedInputs, initialPrompts: describe(fox) })
  await session.prompt([user([image(file(5)), text('?')])])
  const {
    steps: [{ prompt, promptIds, generation }],
  } = await read[0]
  const first = ({ data }) => [...data.slice(0, 8)]
  assert.deepEqual(
    prompt.filter(part => part.image).map(({ image }) => first(image)),
    [3, 5].map(shade => first(shaded(shade))),
  )
  assert.equal(promptIds.filter(id => id === -1).length, 2 * rows)
  assert.ok(generation.timings.reusedTokens > rows, 'the first image was read at creation')
})

test('an image is as it was at the call', async () => {
  const session = await create({ expectedInputs })
  const bytes = new Uint8Array(file(3))
  const pixels = shaded(3)
  const answers = [session.prompt('Hi'), session.prompt(describe(bytes, pixels))]
  bytes.fill(0)
  pixels.data = undefined
  assert.deepEqual(await Promise.all(answers), ['A fox.', 'An owl.'])
})

test('when the context is full, the oldest turns go with their images', async () => {
  const session = await create({ expectedInputs })
  let overflows = 0
  session.oncontextoverflow = () => overflows++
  const many = Array.from({ length: 5 }, (_, shade) => file(shade))
  const usage = await session.measureContextUsage(describe(...many))
  assert.ok(usage > session.contextWindow / 5 && usage < session.contextWindow / 2)
  for (let turn = 0; turn < 4; turn++) await session.append(describe(...many))
  assert.ok(overflows > 0)
  assert.ok(session.contextUsage <= session.contextWindow)
  assert.match(await session.prompt('Well?'), /\w/)
  const tooMany = describe(...Array(session.contextWindow / rows).fill(fox))
  await rejectsQuota(await session.measureContextUsage(tooMany), session.contextWindow, session.append(tooMany))
})

test('errors are the ones that the specification names', async () => {
  const plain = await create()
  await rejectsAs('NotSupportedError', plain.prompt(describe(fox)))
  await rejectsAs('NotSupportedError', plain.measureContextUsage(describe(fox)))
  await rejectsAs('NotSupportedError', create({ initialPrompts: describe(fox) }))
  const session = await create({ expectedInputs })
  await rejectsAs('NotSupportedError', session.prompt([assistant([image(fox)])]))
  await rejectsAs('NotSupportedError', session.prompt([user([{ type: 'audio', value: fox }])]))
  await assert.rejects(session.prompt([user([text(fox)])]), TypeError)
  for (const value of ['fox.png', 5, {}, null, [], { width: 1 }]) {
    for (const call of ['prompt', 'append', 'measureContextUsage'])
      await assert.rejects(session[call](describe(value)), TypeError, `${value}`)
    await assert.rejects(create({ expectedInputs, initialPrompts: describe(value) }), TypeError)
  }
  const offset = new Uint8Array([0, 0, 0, ...file(3)])
  for (const value of [
    offset,
    new Blob(['fox']),
    Buffer.from('GIF89a'),
    file(3).subarray(0, 99),
    { width: 2, height: 2, data: new Uint8Array(3) },
  ]) {
    for (const call of ['prompt', 'append', 'measureContextUsage'])
      await rejectsAs('InvalidStateError', session[call](describe(value)))
    await rejectsAs('InvalidStateError', create({ expectedInputs, initialPrompts: describe(value) }))
  }
  const stop = new AbortController()
  const answer = session.prompt(describe(fox), { signal: stop.signal })
  stop.abort('enough')
  await rejectsExactly('enough', answer)
  assert.equal(session.contextUsage, 0)
  assert.equal(await session.prompt(describe(offset.subarray(3))), 'A fox.')
})
