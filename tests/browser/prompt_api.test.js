// The Prompt API in a page: installation, loading with progress, streams, events, and the browser's exceptions.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const { inPage } = useBrowser()
const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Bern"}}\n</tool_call>'
let site

before(async () => {
  site = await serveSite({
    change: dist => {
      writeFileSync(join(dist, '..', 'chat.gguf'), scriptedModel(['First answer.', 'Second answer.'], { context: 256 }))
      writeFileSync(join(dist, '..', 'tools.gguf'), scriptedModel([call, 'Rain in Bern.']))
    },
  })
})
after(() => site.close())

test('is installed, loads its model and holds a conversation', async () => {
  const result = await inPage(site, async () => {
    const { install } = await import('./dist/prompt-api.js')
    delete globalThis.LanguageModel // if the browser has its own
    install(globalThis, { source: 'chat.gguf', load: heed.loadModel, threads: 2 })
    const before = await LanguageModel.availability()
    const progress = []
    const session = await LanguageModel.create({
      initialPrompts: [{ role: 'system', content: 'Be brief.' }],
      monitor: monitor => monitor.addEventListener('downloadprogress', ({ loaded }) => progress.push(loaded)),
    })
    const stream = session.promptStreaming('One?')
    const chunks = []
    const reader = stream.getReader()
    for (let next; !(next = await reader.read()).done; ) chunks.push(next.value)
    const clone = await session.clone()
    return {
      before,
      after: await LanguageModel.availability(),
      first: progress[0],
      last: progress.at(-1),
      grows: progress.every((loaded, index) => index === 0 || loaded > progress[index - 1]),
      isStream: stream instanceof ReadableStream,
      isSession: clone instanceof LanguageModel,
      answers: [chunks.join(''), await clone.prompt('Two?'), await session.prompt('Two?')],
      usage: clone.contextUsage === session.contextUsage && session.contextUsage > 0,
    }
  })
  assert.deepEqual(result, {
    before: 'downloadable',
    after: 'available',
    first: 0,
    last: 1,
    grows: true,
    isStream: true,
    isSession: true,
    answers: ['First answer.', 'Second answer.', 'Second answer.'],
    usage: true,
  })
})

test('drops old turns, and rejects what does not fit', async () => {
  const result = await inPage(site, async () => {
    const { createLanguageModel } = await import('./dist/prompt-api.js')
    const session = await createLanguageModel({ model: await heed.loadModel('chat.gguf') }).create()
    const events = []
    session.oncontextoverflow = event => events.push(event instanceof Event && event.type)
    for (let turn = 0; turn < 3; turn++) await session.prompt('x'.repeat(70))
    const { name, requested, quota, constructor } = await session.prompt('x'.repeat(300)).catch(error => error)
    return {
      events,
      error: [name, requested > quota, quota],
      isOwn: !globalThis.QuotaExceededError || constructor === globalThis.QuotaExceededError,
    }
  })
  assert.deepEqual(result, { events: ['contextoverflow'], error: ['QuotaExceededError', true, 256], isOwn: true })
})

test('runs tools', async () => {
  const result = await inPage(site, async () => {
    const { createLanguageModel } = await import('./dist/prompt-api.js')
    const asked = []
    const session = await createLanguageModel({ model: await heed.loadModel('tools.gguf') }).create({
      tools: [
        {
          name: 'weather',
          description: 'Tells the weather.',
          inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
          async execute(args) {
            asked.push(args)
            return 'rain'
          },
        },
      ],
    })
    return { answer: await session.prompt('Weather?'), asked }
  })
  assert.deepEqual(result, { answer: 'Rain in Bern.', asked: [{ city: 'Bern' }] })
})

test("rejects with the page's exceptions", async () => {
  const result = await inPage(site, async () => {
    const { createLanguageModel } = await import('./dist/prompt-api.js')
    const LanguageModel = createLanguageModel({ model: await heed.loadModel('chat.gguf') })
    const session = await LanguageModel.create()
    const name = promise =>
      promise.then(
        () => 'none',
        error => [error instanceof DOMException || error instanceof TypeError, error.name],
      )
    const names = {
      constraint: await name(session.prompt('x', { responseConstraint: /(a)\1/ })),
      type: await name(session.prompt([{ role: 'robot', content: 'x' }])),
      abort: await name(session.prompt('x', { signal: AbortSignal.abort() })),
      image: await name(LanguageModel.create({ expectedInputs: [{ type: 'image' }] })),
      missing: await name(createLanguageModel({ source: 'missing.gguf', load: heed.loadModel }).create()),
      bare: await name(createLanguageModel({ source: 'chat.gguf' }).create()),
    }
    const running = name(session.prompt('x'))
    session.destroy()
    return { ...names, running: await running, destroyed: await name(session.prompt('x')) }
  })
  assert.deepEqual(result, {
    constraint: [true, 'NotSupportedError'],
    type: [true, 'TypeError'],
    abort: [true, 'AbortError'],
    image: [true, 'NotSupportedError'],
    missing: [true, 'NetworkError'],
    bare: [true, 'NetworkError'],
    running: [true, 'InvalidStateError'],
    destroyed: [true, 'InvalidStateError'],
  })
})

test('images of a page are read as they were at the call', async () => {
  const { width, height, data } = shaded(3)
  const projector = projectorFile(128).toString('base64') // for the bundled model
  const told = await inPage(
    site,
    async ({ projector, image }) => {
      const { createLanguageModel } = await import('./dist/prompt-api.js')
      const bytes = Uint8Array.from(atob(projector), character => character.charCodeAt(0))
      const LanguageModel = createLanguageModel({
        projector: bytes,
        load: heed.loadModel,
        threads: 1,
        chat: { maxTokens: 3, seed: 1 },
      })
      const options = { expectedInputs: [{ type: 'image' }] }
      const before = await LanguageModel.availability(options)
      const data = new ImageData(Uint8ClampedArray.from(image.data), image.width, image.height)
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context.putImageData(data, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/png' })
      const ask = value => [
        {
          role: 'user',
          content: [
            { type: 'image', value },
            { type: 'text', value: 'What is this?' },
          ],
        },
      ]
      const answers = []
      for (const value of [data, canvas, blob, await blob.arrayBuffer(), await createImageBitmap(data)]) {
        const session = await LanguageModel.create({ ...options, topK: 1, temperature: 0 })
        const answer = session.prompt(ask(value))
        if (value === canvas) context.clearRect(0, 0, image.width, image.height)
        if (value.close) value.close()
        answers.push([await answer, session.contextUsage])
      }
      const session = await LanguageModel.create(options)
      const error = await session.prompt(ask(new Blob(['fox']))).catch(({ name }) => name)
      return { before, answers, error }
    },
    { projector, image: { width, height, data: [...data] } },
  )
  assert.equal(told.before, 'downloadable')
  assert.deepEqual(
    told.answers,
    told.answers.map(() => told.answers[0]),
  )
  assert.equal(told.error, 'InvalidStateError')
})
