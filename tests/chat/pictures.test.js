// Images in conversations: the template gets a text in place of each image, and the model gets the image.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { rejectsWith, withModel } from '../package/support.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'

let model
before(async () => {
  model = await loadModel(undefined, { projector: projectorFile(128), threads: 2 }) // of the bundled model's width
})
after(() => model.dispose())

const image = shade => ({ type: 'image', image: shaded(shade) })
const text = text => ({ type: 'text', text })
const user = (...content) => ({ role: 'user', content })
const options = { temperature: 0, maxTokens: 6 }
const ids = ({ tokens }) => tokens.map(({ id }) => id)

test('the prompt has the images where the template prints the contents', async () => {
  const {
    steps: [step],
  } = await model.chat([user(text('First '), image(3), text(' then '), image(5), text('!'))], options)
  const images = step.prompt.filter(part => part.image).map(part => part.image)
  assert.deepEqual(
    images.map(({ data }) => [...data.slice(0, 12)]),
    [3, 5].map(shade => [...shaded(shade).data.slice(0, 12)]),
  )
  const plain = await model.chat([user(text('First A then B!'))], options)
  const joined = parts => parts.map(part => part.control ?? (part.image ? (part.image === images[0] ? 'A' : 'B') : part)).join('')
  assert.equal(joined(step.prompt), joined(plain.steps[0].prompt))
  assert.equal(step.promptIds.filter(id => id === -1).length, 8)
  const bos =
    step.promptIds[0] === model.info.bosToken.id && joined(step.prompt).startsWith(model.info.bosToken.text)
      ? []
      : [{ ids: [model.info.bosToken.id] }]
  const again = await model.generate([...bos, ...step.prompt], { ...options, addSpecial: false, special: true })
  assert.deepEqual(ids(again), ids(step.generation))
  assert.equal(again.timings.promptTokens, step.promptIds.length)
  assert.equal(again.timings.reusedTokens, step.promptIds.length - 1)
})

test('the next turn reads only what is new', async () => {
  const conversation = [user(image(7), text('What is this?'))]
  const session = await model.session()
  const first = await session.chat(conversation, options)
  conversation.push(first.message, user(text('And this?'), image(9)))
  const second = await session.chat(conversation, options)
  assert.ok(second.usage.reusedTokens >= first.usage.promptTokens - 1, JSON.stringify(second.usage))
  const alone = await model.chat(conversation, options)
  assert.deepEqual(ids(alone.steps[0].generation), ids(second.steps[0].generation))
  assert.equal(session.tokens.filter(id => id < 0).length, 8)
  const places = session.images.flatMap(({ patches }) => patches.map(({ position }) => position))
  assert.deepEqual(
    places,
    session.tokens.flatMap((id, index) => (id < 0 ? [index] : [])),
  )
  assert.deepEqual(second.steps[0].generation.images, session.images)
  await session.chat([user(text('Another'))], options) // replaces the text
  assert.deepEqual(session.images, [])
  await session.dispose()
})

test('other images are other prompts, and text that looks like a mark is text', async () => {
  const conversation = shade => [user(image(shade), text('What is this?'))]
  const [first] = (await model.chat(conversation(11), options)).steps
  const [second] = (await model.chat(conversation(13), options)).steps
  assert.ok(second.generation.timings.reusedTokens < first.promptIds.indexOf(-1) + 1)
  const {
    steps: [step],
  } = await model.chat([user(image(11), text(' image-0-0- '))], options)
  assert.equal(step.prompt.filter(part => part.image).length, 1)
  assert.ok(step.prompt.some(part => typeof part === 'string' && part.includes('image-0-0-')))
})

test('images that a template does not print are told', async () => {
  const template = '{{ messages[0].content[:20] }}'
  const {
    notices,
    steps: [step],
  } = await model.chat([user(text('A long text before the image, '), image(3), image(4))], { ...options, template })
  assert.equal(step.prompt.filter(part => part.image).length, 0)
  assert.deepEqual(notices, ['the template of the model leaves out images: 2'])
  assert.deepEqual((await model.chat([user(image(3), text('Hi'))], options)).notices, [])
})

test('an image of a message may have a bound, and the result says where its tokens are', async () => {
  const bounded = maxImageTokens => model.chat([user({ ...image(3), maxImageTokens }, text('What is this?'))], options)
  const {
    steps: [{ promptIds, generation }],
  } = await bounded(100)
  assert.deepEqual(
    generation.images[0].patches.map(({ position }) => position),
    promptIds.flatMap((id, index) => (id < 0 ? [index] : [])),
  )
  await rejectsWith('invalid-argument', /maxImageTokens: 2 is too few/, bounded(2))
  await rejectsWith('invalid-argument', /chat: an image has no option "detail"/, async () =>
    model.chat([user({ ...image(3), detail: 'low' })], options),
  )
})

test('trim leaves out the oldest turns with their images', async () => {
  const quarter = text('word '.repeat(model.info.contextLength / 4))
  const turns = Array.from({ length: 6 }, (_, index) => [user(image(index), quarter), { role: 'assistant', content: 'Yes.' }])
  const result = await model.chat([...turns.flat(), user(image(17), text('Last'))], { ...options, trim: true })
  assert.equal(result.trimmedTurns, 4) // three would do: turns are left out two at a time, so that the next prompts begin alike
  const kept = result.steps[0].prompt.filter(part => part.image).length
  assert.equal(kept, 7 - result.trimmedTurns)
})

test('a chat that is aborted while an image is decoded ends at once', async () => {
  const never = new Blob([])
  never.arrayBuffer = () => new Promise(() => {})
  const session = await model.session()
  for (const writer of [model, session]) {
    const controller = new AbortController()
    const chat = writer.chat([user({ type: 'image', image: never }, text('?'))], { ...options, signal: controller.signal })
    controller.abort()
    const { finishReason, text: written, steps } = await chat
    assert.deepEqual([finishReason, written, steps.length], ['abort', '', 1])
  }
  await session.chat([user(text('Hi'))], options)
  await session.dispose()
})

test('an image that cannot be read is an error, and the next chat works', async () => {
  for (const wrong of [undefined, null, 7, 'fox.png', { width: 1, height: 1, data: new Uint8Array(3) }]) {
    await rejectsWith('invalid-argument', /chat/, async () =>
      model.chat([user({ type: 'image', image: wrong }, text('?'))], options),
    )
  }
  await rejectsWith('invalid-argument', /content\[0\]\.type: expected 'text' or 'image'/, async () =>
    model.chat([user({ type: 'audio' })]),
  )
  await model.chat([user(image(3), text('?'))], options)
  await withModel(undefined, { threads: 1 }, async other => {
    const refused = async () => other.chat([user(image(3), text('?'))])
    await rejectsWith(
      'invalid-argument',
      /messages\[0\]\.content\[0\]\.type: expected 'text', because this model reads text only/,
      refused,
    )
    await other.chat([user(text('?'))], options)
  })
})
