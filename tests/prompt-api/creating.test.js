// Creating and destroying sessions of the Prompt API. The tests follow those of web-platform-tests in ai/language-model:
// language-model-create, -create-sampling-mode, -availability, -availability-available, -abort, -clone, -destroy,
// -prompt-monitor-callback-exception and -tool-use (its schemas), and parts of ai/resources/util.js (monitors, aborts).
// Differences: params(), temperature and topK are available, as specified, while browsers offer them to extensions only; and
// tools have `execute`, as specified, instead of calls being returned to the page.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { createLanguageModel, install } from 'heed/prompt-api'
import { goldenBytes } from '../support/golden.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import {
  assistant,
  endsWithAbort,
  languageModel,
  loadScripted,
  rejectsAs,
  rejectsExactly,
  rejectsQuota,
  system,
  user,
} from './support.mjs'

const model = await loadScripted(['First answer.', 'Second answer.'])
const LanguageModel = createLanguageModel({ model })
const { create } = LanguageModel

test('a session has the specified interface', async () => {
  const session = await create()
  assert.ok(session instanceof LanguageModel && session instanceof EventTarget)
  for (const name of ['prompt', 'promptStreaming', 'append', 'measureContextUsage', 'measureInputUsage', 'clone', 'destroy']) {
    assert.equal(typeof session[name], 'function', name)
  }
  assert.deepEqual([session.contextUsage, session.contextWindow, session.inputUsage, session.inputQuota], [0, 2048, 0, 2048])
  assert.deepEqual([session.oncontextoverflow, session.onquotaoverflow], [null, null])
  assert.deepEqual([session.samplingMode, session.temperature, session.topK], ['balanced', 0.8, 40])
  assert.equal(String(session), '[object LanguageModel]')
  assert.equal(LanguageModel.name, 'LanguageModel')
  assert.throws(() => new LanguageModel(), TypeError)
  session.destroy()
})

test('sampling parameters and options', async () => {
  const { defaultTopK, maxTopK, defaultTemperature, maxTemperature } = await LanguageModel.params()
  assert.ok(defaultTopK <= maxTopK && defaultTemperature <= maxTemperature)
  const sampling = async options => {
    const { temperature, topK, samplingMode } = await create(options)
    return { temperature, topK, samplingMode }
  }
  assert.deepEqual(await sampling({ topK: 3, temperature: 0.6 }), { topK: 3, temperature: 0.6, samplingMode: null })
  assert.equal((await sampling({ topK: 1.5, temperature: 0.5 })).topK, 1)
  assert.deepEqual(await sampling({ topK: Infinity, temperature: 7 }), {
    topK: maxTopK,
    temperature: maxTemperature,
    samplingMode: null,
  })
  for (const mode of [
    'most-predictable',
    'predictable',
    'slightly-predictable',
    'balanced',
    'slightly-creative',
    'creative',
    'most-creative',
  ]) {
    const session = await create({ samplingMode: mode })
    assert.equal(session.samplingMode, mode)
    assert.equal((await session.clone()).samplingMode, mode)
  }
  await rejectsAs('NotSupportedError', create({ topK: 3 }))
  await rejectsAs('NotSupportedError', create({ temperature: 0.5 }))
  for (const wrong of [
    { topK: 3, temperature: -0.5 },
    { topK: 0, temperature: 0.5 },
    { topK: -2, temperature: 0.5 },
    { topK: NaN, temperature: 1 },
  ]) {
    await assert.rejects(create(wrong), RangeError)
  }
  await assert.rejects(create({ samplingMode: 'balanced', temperature: 0.8, topK: 10 }), TypeError)
  await assert.rejects(create({ samplingMode: 'wild' }), TypeError)
})

test('initial prompts count as usage, and invalid ones are errors', async () => {
  const prompts = [system('you are a robot'), user('hello'), assistant('hello')]
  const session = await create({ initialPrompts: prompts })
  assert.ok(session.contextUsage > 0)
  assert.equal(session.contextUsage, await session.measureContextUsage(prompts))
  assert.equal((await create({ initialPrompts: [] })).contextUsage, 0)
  assert.ok((await create({ initialPrompts: prompts.slice(1) })).contextUsage > 0)
  const alone = await create({
    initialPrompts: [
      {
        role: 'system',
        content: [
          { type: 'text', value: 'a ' },
          { type: 'text', value: 'b' },
        ],
      },
    ],
  })
  assert.equal(alone.contextUsage, await alone.measureContextUsage([system('a b')]))
  for (const wrong of [
    [user('hello'), assistant('hello'), system('you are a robot')],
    [system('a'), system('b'), user('c')],
    'hello',
    [{ role: 'wizard', content: 'x' }],
    [{ content: 'x' }],
    [{ role: 'user' }],
    [{ role: 'user', content: [{ type: 'soup', value: 'x' }] }],
    [{ role: 'user', content: [{ type: 'text', value: {} }] }],
  ])
    await assert.rejects(create({ initialPrompts: wrong }), TypeError, JSON.stringify(wrong))
  await rejectsAs('SyntaxError', create({ initialPrompts: [{ ...user('hello'), prefix: true }] }))
  await rejectsAs('NotSupportedError', create({ initialPrompts: [{ role: 'user', content: [{ type: 'image', value: {} }] }] }))
})

test('initial prompts that are too long exceed the quota', async () => {
  const session = await create()
  const long = [system('This is too long. '.repeat(200))]
  const usage = await session.measureContextUsage(long)
  assert.ok(usage > session.contextWindow)
  await rejectsQuota(usage, session.contextWindow, create({ initialPrompts: long }))
})

test('availability reports what is supported', async () => {
  assert.equal(await LanguageModel.availability(), 'available')
  const supported = [
    { expectedInputs: [] },
    { expectedInputs: [{ type: 'text' }], expectedOutputs: [{ type: 'text', languages: ['en', 'EN-us'] }] },
    { topK: 1.5, temperature: 0 },
    { samplingMode: 'creative' },
  ]
  for (const options of supported) assert.equal(await LanguageModel.availability(options), 'available', JSON.stringify(options))
  const unsupported = [
    { expectedOutputs: [{ type: 'image' }] },
    { expectedOutputs: [{ type: 'audio' }] },
    { expectedInputs: [{ type: 'text' }, { type: 'image' }] },
    { expectedInputs: [{ type: 'tool-response' }] },
  ]
  for (const options of unsupported) {
    assert.equal(await LanguageModel.availability(options), 'unavailable', JSON.stringify(options))
    await rejectsAs('NotSupportedError', create(options))
  }
  for (const options of [{ topK: -2, temperature: 1 }, { temperature: 0.6 }])
    assert.equal(await LanguageModel.availability(options), 'unavailable')
  for (const wrong of [{ expectedInputs: [{ type: 'soup' }] }, { expectedInputs: 'text' }, { expectedOutputs: [{}] }]) {
    await assert.rejects(LanguageModel.availability(wrong), TypeError)
  }
  const invalid = { expectedInputs: [{ type: 'text', languages: ['en-abc-invalid'] }] }
  await assert.rejects(LanguageModel.availability(invalid), RangeError)
  await assert.rejects(create(invalid), RangeError)
})

test('a model may support only some languages', async () => {
  const English = createLanguageModel({ model, languages: ['en'] })
  const inputs = tag => ({ expectedInputs: [{ type: 'text', languages: [tag] }] })
  assert.equal(await English.availability(inputs('EN')), 'available')
  assert.equal(await English.availability(inputs('en-GB')), 'available')
  assert.equal(await English.availability(inputs('unk')), 'unavailable')
  await rejectsAs('NotSupportedError', English.create(inputs('unk')))
  assert.ok(await English.create(inputs('EN')))
})

test('the model is loaded once, for the first session, and reports progress', async () => {
  let loads = 0
  const Loading = createLanguageModel({
    source: scriptedModel(['Yes.']),
    threads: 1,
    load: (...args) => {
      loads++
      return loadModel(...args)
    },
  })
  assert.equal(await Loading.availability(), 'downloadable')
  const events = []
  let isCreated = false
  const creating = [1, 2].map(() =>
    Loading.create({
      monitor(monitor) {
        monitor.addEventListener('downloadprogress', event => {
          assert.equal(isCreated, false)
          events.push(event)
        })
        monitor.ondownloadprogress = event => {
          assert.equal(event, events.at(-1))
        }
      },
    }).then(session => {
      isCreated = true
      return session
    }),
  )
  assert.equal(await Loading.availability(), 'downloading')
  const [session] = await Promise.all(creating)
  assert.equal(await Loading.availability(), 'available')
  assert.equal(loads, 1)
  assert.ok(events.length >= 4)
  for (const event of events) {
    assert.ok(event.type === 'downloadprogress' && event.total === 1 && event.lengthComputable)
    assert.equal(event.loaded % (1 / 0x10000), 0)
  }
  assert.deepEqual([events[0].loaded, events.at(-1).loaded], [0, 1])
  assert.equal(await session.prompt('?'), 'Yes.')
  await (await Loading.create()).clone()
  assert.equal(loads, 1)
})

test('a model that is lost is loaded again, unless it was given', async () => {
  const models = []
  const load = async (...args) => {
    models.push(await loadModel(...args))
    return models.at(-1)
  }
  const Loading = createLanguageModel({ source: scriptedModel(['Yes.']), threads: 1, load })
  const session = await Loading.create()
  session.destroy()
  assert.equal(await Loading.availability(), 'available')
  await models[0].dispose()
  assert.equal(await Loading.availability(), 'downloadable')
  const second = await Loading.create(),
    other = await Loading.create()
  assert.equal(await second.prompt('?'), 'Yes.')
  await models[1].dispose()
  await rejectsAs('InvalidStateError', second.prompt('?'))
  assert.equal(await (await Loading.create()).prompt('?'), 'Yes.')
  await rejectsAs('InvalidStateError', other.prompt('?')) // which does not mention the model that replaced it
  assert.equal(await Loading.availability(), 'available')
  assert.equal(models.length, 3)
  const Given = createLanguageModel({ model: models[1] })
  await rejectsAs('InvalidStateError', Given.create())
  await models[2].dispose()
})

test('unknown options of answers are errors at once', () => {
  for (const name of ['temprature', 'temperature', 'tools', 'jsonSchema'])
    assert.throws(() => createLanguageModel({ model, chat: { [name]: 1 } }), {
      name: 'TypeError',
      message: new RegExp(`"${name}"`),
    })
})

test('a model that is given takes no options of loading', () => {
  for (const options of [{ bogus: 1 }, { threads: 2 }, { source: 'x' }, { load: loadModel }]) {
    assert.throws(() => createLanguageModel({ model, ...options }), {
      name: 'TypeError',
      message: new RegExp(`^${Object.keys(options)[0]}: `),
    })
  }
})

test('the progress of a monitor only increases', async () => {
  const seen = []
  await create({ monitor: monitor => monitor.addEventListener('downloadprogress', ({ loaded }) => seen.push(loaded)) })
  assert.deepEqual(seen, [0, 1])
})

test('a monitor that throws rejects the creation', async () => {
  const error = new Error('no')
  await rejectsExactly(
    error,
    create({
      monitor() {
        throw error
      },
    }),
  )
})

for (const end of [0, 1]) {
  test(`no progress is reported after an abort at ${end}`, async () => {
    const Loading = createLanguageModel({ source: scriptedModel(['Yes.']), threads: 1 })
    const controller = new AbortController()
    const error = new Error('test')
    let events = 0
    const { promise: reached, resolve } = Promise.withResolvers?.() ?? deferred()
    const creating = Loading.create({
      signal: controller.signal,
      monitor: monitor => {
        monitor.addEventListener('downloadprogress', ({ loaded }) => {
          if (controller.signal.aborted) events++
          if (loaded === end) resolve()
        })
      },
    })
    await reached
    controller.abort(error)
    await rejectsExactly(error, creating)
    assert.equal(events, 0)
    assert.ok(await Loading.create()) // can be created again
  })
}

function deferred() {
  let resolve
  return {
    promise: new Promise(given => {
      resolve = given
    }),
    resolve,
  }
}

test('creations and clones can be aborted', async () => {
  await endsWithAbort(signal => create({ signal }))
  const session = await create()
  await endsWithAbort(signal => session.clone({ signal }))
  assert.ok(await session.clone())
})

test('the signal of a creation also ends the session', async () => {
  const controller = new AbortController()
  const session = await create({ signal: controller.signal })
  const error = new Error('over')
  const answer = session.prompt('?')
  controller.abort(error)
  await rejectsExactly(error, answer)
  await rejectsExactly(error, session.prompt('?'))
})

test('a clone continues independently', async () => {
  const session = await create()
  assert.equal(await session.prompt('One?'), 'First answer.')
  const clone = await session.clone()
  assert.ok(clone instanceof LanguageModel && clone !== session)
  for (const name of ['contextWindow', 'contextUsage', 'topK', 'temperature']) assert.equal(clone[name], session[name], name)
  assert.equal(await clone.prompt('Two?'), 'Second answer.')
  assert.ok(clone.contextUsage > session.contextUsage)
  session.destroy()
  const other = await clone.clone()
  await other.append('More.')
  assert.ok(other.contextUsage > clone.contextUsage)
})

test('a destroyed session cannot be used', async () => {
  const session = await create()
  const running = [session.prompt('?'), session.append('?'), session.clone()]
  session.destroy()
  session.destroy()
  for (const promise of running) await rejectsAs('InvalidStateError', promise)
  for (const call of [
    () => session.prompt('?'),
    () => session.append('?'),
    () => session.clone(),
    () => session.measureContextUsage('?'),
  ]) {
    await rejectsAs('InvalidStateError', call())
  }
  assert.throws(() => session.promptStreaming('?'), { name: 'InvalidStateError' })
  for (const name of ['contextWindow', 'contextUsage', 'temperature', 'topK']) assert.equal(typeof session[name], 'number', name)
})

test('invalid tools are errors', async () => {
  const tool = {
    name: 'weather',
    description: 'Tells the weather.',
    inputSchema: { type: 'object', properties: {} },
    execute: async () => 'rain',
  }
  const loop = { type: 'object' }
  loop.loop = loop
  const wrong = [
    { inputSchema: null },
    { inputSchema: {} },
    { inputSchema: 'x' },
    { inputSchema: { properties: {} } },
    { inputSchema: { type: 'string' } },
    { inputSchema: { type: 'object', properties: 'x' } },
    { inputSchema: { type: 'object', required: 'x' } },
    { inputSchema: undefined },
    { inputSchema: loop },
    { name: '' },
    { description: '' },
    { execute: undefined },
  ]
  for (const change of wrong) await assert.rejects(create({ tools: [{ ...tool, ...change }] }), TypeError, Object.keys(change)[0])
  await assert.rejects(create({ tools: [tool, tool] }), TypeError)
  const error = new Error('thrown')
  for (const inputSchema of [
    {
      type: 'object',
      toJSON() {
        throw error
      },
    },
    {
      type: 'object',
      get x() {
        throw error
      },
    },
  ]) {
    await rejectsExactly(error, create({ tools: [{ ...tool, inputSchema }] }))
  }
  assert.ok(await create({ tools: [] }))
  assert.ok(await create({ tools: [tool] }))
  const WithoutTools = await languageModel(['Yes.'], { template: '{% for m in messages %}{{ m.content }}\n{% endfor %}<|turn0|>' })
  await rejectsAs('NotSupportedError', WithoutTools.create({ tools: [tool] }))
})

test('failed loads and missing templates are exceptions whose cause is a HeedError', async () => {
  const failure = promise =>
    promise.then(
      () => assert.fail(),
      error => error,
    )
  const Broken = createLanguageModel({ source: new Uint8Array(100), threads: 1 })
  for (let again = 0; again < 2; again++) {
    const error = await failure(Broken.create())
    assert.deepEqual([error.name, error.cause.code], ['OperationError', 'invalid-file'])
    assert.equal(await Broken.availability(), 'downloadable')
  }
  assert.equal((await failure(createLanguageModel({ source: 'http://localhost:1/model.gguf' }).create())).name, 'NetworkError')
  await assert.rejects(createLanguageModel({ source: new Uint8Array(100), treads: 1 }).create(), /TypeError: .*"treads"/)
  const plain = await loadModel(goldenBytes('llama-gqa'), { threads: 1 })
  const Plain = createLanguageModel({ model: plain })
  assert.equal(await Plain.availability(), 'unavailable')
  assert.equal((await failure(Plain.create())).name, 'NotSupportedError')
  const template = '{% for message in messages %}{{ message.content }}\n{% endfor %}'
  const Stories = createLanguageModel({ model: plain, chat: { template, maxTokens: 5, seed: 1 } })
  assert.equal(await Stories.availability(), 'available')
  const story = await (await Stories.create()).prompt('a b')
  assert.ok(story.length > 0 && story.length < 60)
  assert.equal(await (await Stories.create()).prompt('a b'), story)
  await plain.dispose()
  await rejectsAs('InvalidStateError', Stories.create())
})

test('installs LanguageModel unless there is one', async () => {
  const window = {}
  const installed = install(window, { model })
  assert.equal(window.LanguageModel, installed)
  assert.deepEqual(Object.keys(window), [])
  assert.equal(install(window, { model }), installed)
  assert.equal(await (await window.LanguageModel.create()).prompt('?'), 'First answer.')
  assert.deepEqual(Object.keys(createRequire(import.meta.url)('heed/prompt-api')).sort(), ['createLanguageModel', 'install'])
})

/** A browser's own LanguageModel: {results of availability, or errors} to {the class that answers}. */
const browsersOwn = {
  unavailable: ['unavailable', 'ours'],
  available: ['available', 'own'],
  downloadable: ['downloadable', 'own'],
  'that throws': [new Error('no policy'), 'ours'],
  'available for text alone': [({ expectedInputs }) => (expectedInputs ? 'unavailable' : 'available'), 'own'],
}
for (const [name, [state, expected]] of Object.entries(browsersOwn)) {
  test(`beside a browser's own that is ${name}: ${expected} answers, and with \`replace\` ours`, async () => {
    class LanguageModel {
      prompt = async () => 'own'
      static async availability(options) {
        if (state instanceof Error) throw state
        return typeof state === 'function' ? state(options) : state
      }
      static async create() {
        if (state === 'unavailable') throw new DOMException('no', 'NotSupportedError')
        return new LanguageModel()
      }
    }
    const window = { LanguageModel }
    const installed = install(window, { model })
    assert.equal(window.LanguageModel, installed)
    const session = await window.LanguageModel.create({ monitor() {}, initialPrompts: [] })
    assert.ok(session instanceof window.LanguageModel)
    assert.equal((await session.prompt('?')) === 'own', expected === 'own')
    assert.equal(await window.LanguageModel.availability(), typeof state === 'string' && expected === 'own' ? state : 'available')
    assert.equal(install(window, { model }), installed)
    const replaced = { LanguageModel }
    assert.notEqual(await (await install(replaced, { model, replace: true }).create()).prompt('?'), 'own')
    assert.throws(() => install({}, { model, replace: 1 }), { name: 'TypeError', message: /replace/ })
  })
}

test("a class without the API is not taken for the browser's model", async () => {
  const window = { LanguageModel: class {} }
  install(window, { model })
  assert.equal(await window.LanguageModel.availability(), 'available')
})
