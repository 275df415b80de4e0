// How a chat treats its arguments: options and messages are checked and copied at the call, turns of a session do not mix, and
// nothing that a tool does keeps a chat from ending.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeedError } from 'heed'
import { scriptedModel } from '../support/scripted_model.mjs'
import { rejectsWith, withModel } from '../package/support.mjs'

const user = content => ({ role: 'user', content })
const call = (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const scripted = (turns, body, options) => withModel(scriptedModel(turns, options), { threads: 1 }, body)
const greedy = { temperature: 0 }
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { name: 'weather', description: 'Tells the weather.', parameters: city }
const asked = [user('Weather?')]

/** A promise, and the function that resolves it. */
function gate() {
  let open
  const opened = new Promise(resolve => {
    open = resolve
  })
  return { open, opened }
}

/** Checks that the call itself throws `invalid-argument`. */
const refuses = (message, called) =>
  assert.throws(called, error => {
    assert.equal(error.code, 'invalid-argument')
    assert.match(error.message, message)
    return true
  })

const prompted = async (model, { steps }) => model.detokenize(steps.at(-1).promptIds, { special: true })

test('an option that is not valid is an error of the call, even if nobody awaits the chat', () =>
  scripted(['Yes.'], async model => {
    const session = await model.session()
    for (const owner of [model, session]) {
      refuses(/chat: signal: expected an AbortSignal/, () => owner.chat(asked, { signal: new AbortController() }))
      refuses(/chat: temperature: /, () => owner.chat(asked, { temperature: -1, onToken() {} }))
      refuses(/chat has no option "temprature"; its options are .*maxSteps/, () => owner.chat(asked, { temprature: 1 }))
      refuses(/^((?!addSpecial).)*$/, () => owner.chat(asked, { temprature: 1 }))
      refuses(/chat: tools: expected an array/, () => owner.chat(asked, { tools: weather }))
      refuses(/chat: now: /, () => owner.chat(asked, { now: 'never' }))
      refuses(/chat: messages: expected an array/, () => owner.chat('Hi'))
    }
  }))

test('no signal may be null', () =>
  scripted(['Yes.'], async model => {
    assert.equal((await model.chat(asked, { ...greedy, signal: null })).text, 'Yes.')
  }))

test('lone surrogates in messages, tools and variables become U+FFFD', () =>
  scripted(['Yes.'], async model => {
    const tools = [{ ...weather, description: 'b\udc00' }]
    const messages = [user('a\ud83dz'), { role: 'assistant', content: [{ type: 'text', text: 'c\ud83d' }] }, user('\udc00')]
    const prompt = await prompted(model, await model.chat(messages, { ...greedy, tools, maxTokens: 1 }))
    for (const part of ['a\ufffdz', 'b\ufffd', 'c\ufffd', '\n\ufffd<']) assert.ok(prompt.includes(part), `${part} in ${prompt}`)
  }))

test('messages and options are copied at the call', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    const messages = [user('Before')]
    const tools = [
      {
        ...weather,
        parameters: structuredClone(city),
        execute() {
          messages[0].content = 'Later'
          messages.push(user('Later'))
          tools[0].parameters.properties.city.type = 'Later'
          options.tools = options.maxSteps = 'Later'
          return 'rain'
        },
      },
    ]
    const options = { ...greedy, tools }
    const chat = model.chat(messages, options)
    messages[0].content = 'Changed'
    tools[0].description = 'Changed'
    const result = await chat
    assert.equal(result.text, 'Rain.')
    for (const { promptIds } of result.steps) {
      const prompt = await model.detokenize(promptIds, { special: true })
      assert.match(prompt, /Before/)
      assert.doesNotMatch(prompt, /Changed|Later/)
    }
  }))

test('chats of a session that overlap run one after the other, tools included', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    const alone = await model.session()
    const expected = [
      await alone.chat(asked, { ...greedy, tools: [{ ...weather, execute: () => 'rain' }] }),
      await alone.chat([user('Other?')], greedy),
    ]
    const { open, opened } = gate()
    const called = gate()
    const execute = async () => {
      called.open()
      await opened
      return 'rain'
    }
    const session = await model.session()
    const first = session.chat(asked, { ...greedy, tools: [{ ...weather, execute }] })
    const second = session.chat([user('Other?')], greedy)
    await called.opened
    const third = session.generate('x', { ...greedy, maxTokens: 1 })
    assert.ok(session.length > 0)
    open()
    const results = [await first, await second]
    assert.deepEqual(
      results.map(({ text }) => text),
      expected.map(({ text }) => text),
    )
    assert.deepEqual(
      results.map(({ steps }) => steps.map(({ promptIds }) => promptIds)),
      expected.map(({ steps }) => steps.map(({ promptIds }) => promptIds)),
    )
    await third
    const text = await model.detokenize(session.tokens, { special: true })
    assert.equal(text.split('Other?').length, 2, text)
    assert.doesNotMatch(text, /Weather\?/)
  }))

test('a chat that is aborted while it waits for its turn ends at once', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    const { open, opened } = gate()
    const session = await model.session()
    const first = session.chat(asked, { ...greedy, tools: [{ ...weather, execute: () => opened }] })
    const controller = new AbortController()
    const second = session.chat(asked, { ...greedy, signal: controller.signal })
    controller.abort()
    assert.equal((await second).finishReason, 'abort')
    open('rain')
    assert.equal((await first).text, 'Rain.')
  }))

test('a chat that is aborted while it waits leaves the session to the call that runs', () =>
  withModel(undefined, { threads: 1, parallel: 1 }, async model => {
    const session = await model.session()
    const running = session.generate('Once', { ...greedy, stopAtEnd: false, maxTokens: 1e6, contextShift: { keep: 1 } })
    await running[Symbol.asyncIterator]().next()
    const controller = new AbortController()
    const waiting = session.chat(asked, { ...greedy, signal: controller.signal })
    controller.abort()
    const { finishReason, text, messages } = await waiting
    assert.deepEqual([finishReason, text, messages.length], ['abort', '', 1])
    await session.dispose() // which ends the call that runs
    await rejectsWith('disposed', /session/, running)
  }))

test('a chat whose onToken throws ends before the next call of its session', () =>
  scripted(['A long answer, of many words.'], async model => {
    const session = await model.session()
    const chat = session.chat(asked, {
      ...greedy,
      onToken: () => {
        throw new RangeError('mine')
      },
    })
    const next = session.generate('x', { ...greedy, maxTokens: 1, stopAtEnd: false })
    await assert.rejects(chat.result, { name: 'RangeError', message: 'mine' })
    assert.equal((await next).tokens.length, 1)
  }))

test('an abort ends a chat as it ends a generation, whatever its reason', () =>
  scripted(['Yes.'], async model => {
    const signal = AbortSignal.abort(new HeedError('network', 'of another call'))
    for (const ended of [model.generate('x', { signal }), model.chat(asked, { signal })])
      assert.equal((await ended).finishReason, 'abort')
  }))

test('a tool that never ends does not outlive an abort, the loop, the session or the model', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    /** A chat whose tool never ends, once it is called. */
    const stuck = async (owner, signal) => {
      const called = gate()
      const execute = (_, run) => {
        called.open(run.signal)
        return new Promise(() => {})
      }
      const chat = owner.chat(asked, { ...greedy, signal, tools: [{ ...weather, execute }] })
      return { chat, told: await called.opened }
    }
    const session = await model.session()
    for (const owner of [model, session]) {
      const controller = new AbortController()
      const { chat, told } = await stuck(owner, controller.signal)
      controller.abort('enough')
      const { finishReason, toolCalls, messages } = await chat
      assert.deepEqual([finishReason, toolCalls.length, messages.length, told.aborted], ['abort', 1, 1, true])

      const left = await stuck(owner)
      const loop = left.chat[Symbol.asyncIterator]()
      let event
      do event = await loop.next()
      while (event.value.type !== 'tool-call')
      const next = loop.next()
      await loop.return()
      assert.equal(left.told.aborted, true)
      await next
      assert.equal((await left.chat).finishReason, 'abort')
    }
    const { chat, told } = await stuck(session)
    await session.dispose()
    await rejectsWith('disposed', /session/, chat)
    assert.equal(told.aborted, true)
    const last = await stuck(model)
    await model.dispose()
    await rejectsWith('disposed', /model/, last.chat)
  }))

test('a tool that ignores its signal ends as an abort', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    const controller = new AbortController()
    const execute = () => {
      controller.abort()
      return 'rain'
    }
    const { finishReason } = await model.chat(asked, { ...greedy, signal: controller.signal, tools: [{ ...weather, execute }] })
    assert.equal(finishReason, 'abort')
  }))

test('a tool cannot wait for the session that calls it', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    const session = await model.session()
    const execute = async () => (await session.chat([user('?')], greedy)).text
    const { text, messages } = await session.chat(asked, { ...greedy, tools: [{ ...weather, execute }] })
    assert.match(messages.find(({ role }) => role === 'tool').content, /cannot wait for its own session/)
    assert.equal(text, 'Rain.')
  }))

test('calls that have been run are not left to the caller', () =>
  scripted([call('weather', { city: 'Bern' }) + call('look', {}), 'Rain.'], async model => {
    const run = { ...weather, execute: () => 'rain' }
    const once = await model.chat(asked, { ...greedy, tools: [run, { name: 'look', execute: () => 'seen' }], maxSteps: 1 })
    assert.deepEqual([once.finishReason, once.toolCalls, once.steps[0].toolCalls.length], ['steps', [], 2])
    const half = await model.chat(asked, { ...greedy, tools: [run, { name: 'look' }] })
    assert.deepEqual([half.finishReason, half.toolCalls.map(({ name }) => name), half.steps.length], ['tool-calls', ['look'], 1])
  }))

test('a template is a name in the file, or Jinja', () =>
  scripted(['Yes.'], async model => {
    await rejectsWith('invalid-argument', /the file has default, not "tool_use"/, model.chatTemplate('tool_use'))
    for (const other of [5, null, {}]) {
      await rejectsWith(
        'invalid-argument',
        /chatTemplate: template: expected a name, Jinja or \{ jinja \}/,
        model.chatTemplate(other),
      )
    }
    const read = async template => prompted(model, await model.chat(asked, { ...greedy, template, maxTokens: 1 }))
    assert.equal(await read({ jinja: 'tool_use' }), '<s>tool_use')
    assert.equal(await read('{{ messages[0].content }}'), '<s>Weather?')
    assert.equal(await read('default'), await read(undefined))
  }))

test('messages that would be empty turns, or are no text, are errors of the call that name the place', () =>
  scripted(['Yes.'], async model => {
    const cyclic = { role: 'user', content: 'x' }
    cyclic.more = { cyclic }
    const calls = given => ({ role: 'assistant', content: null, tool_calls: given })
    const wrong = [
      [{ role: 'user', contnt: 'x' }, /^chat: messages\[1\]\.content: missing, there is only role, contnt$/],
      [
        { id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
        /messages\[1\]\.content: missing, there is only id, role, parts/,
      ],
      [{ role: 'user', content: 5 }, /messages\[1\]\.content: expected a string or an array of parts, got 5/],
      [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
        /messages\[1\]\.content\[0\]\.type: .*text only, got "image_url"/,
      ],
      [
        { role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'text' }] },
        /messages\[1\]\.content\[1\]\.text: expected a string/,
      ],
      [{ role: 'user', content: ['x'] }, /messages\[1\]\.content\[0\]: expected an object, got "x"/],
      [{ content: 'x' }, /messages\[1\]\.role: expected a string, got undefined/],
      [{ role: 'assistant', reasoning_content: 5 }, /messages\[1\]\.reasoning_content: expected a string/],
      [calls({}), /messages\[1\]\.tool_calls: expected an array/],
      [calls([{ name: 'f' }]), /messages\[1\]\.tool_calls\[0\]\.function: expected an object/],
      [calls([{ function: { name: 5 } }]), /messages\[1\]\.tool_calls\[0\]\.function\.name: expected a string/],
      [{ role: 'user', content: 'x', at: new Map() }, /messages\[1\]\.at: a Map is not data/],
      [{ role: 'user', content: 'x', at: { now() {} } }, /messages\[1\]\.at\.now: a function is not data/],
      [cyclic, /messages\[1\].*nested too deeply/],
      [5, /messages\[1\]: expected an object, got 5/],
    ]
    const session = await model.session()
    for (const owner of [model, session]) {
      for (const [message, problem] of wrong) refuses(problem, () => owner.chat([user('?'), message]))
      refuses(/messages\[0\]\.role: continueFinal: .*user/, () => owner.chat(asked, { continueFinal: true }))
      refuses(/the file has default, not "tool_use"/, () => owner.chat(asked, { template: 'tool_use' }))
      refuses(/chat: variables\.city: a function is not data/, () => owner.chat(asked, { variables: { city() {} } }))
    }
    const right = [
      { role: 'user', content: 'x', createdAt: new Date(), at: { url: new URL('https://example.com/') } },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'assistant', reasoning_content: 'Hm.' },
    ]
    for (const message of right) assert.ok(await model.chat([user('?'), message, user('!')], { ...greedy, maxTokens: 1 }))
  }))

test('invalid tools are errors of the call that name the place', () =>
  scripted(['Yes.'], model => {
    const wrong = [
      [{}, /chat: tools\[1\]\.name: expected a non-empty string/],
      [5, /chat: tools\[1\]: expected an object/],
      [{ type: 'function', function: null }, /tools\[1\]\.name/],
      [{ name: 'x', execute: 'y' }, /tools\[1\]\.execute: expected a function/],
      [{ name: 'weather' }, /tools\[1\]\.name: another tool is named weather/],
      ...['x', 5, [], null, { type: 'strng' }, { properties: 5 }].map(parameters => [
        { name: 'x', parameters },
        /tools\[1\]\.parameters: expected a JSON schema of an object/,
      ]),
      [
        { name: 'x', parameters: standard({ jsonSchema: undefined }) },
        /tools\[1\]\.parameters: this schema of \w+( library)? cannot be converted/,
      ],
    ]
    for (const [tool, problem] of wrong) refuses(problem, () => model.chat(asked, { tools: [weather, tool] }))
  }))

test('a tool may be an object of a class', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    class Weather {
      name = 'weather'
      parameters = city
      execute() {
        return 'rain'
      }
    }
    const { messages } = await model.chat(asked, { ...greedy, tools: [new Weather()] })
    assert.equal(messages.find(({ role }) => role === 'tool').content, 'rain')
  }))

test('a tool is called as a method of the object that was given', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    class Weather {
      name = 'weather'
      parameters = city
      #asked = 0
      execute() {
        return `${++this.#asked}`
      }
      get asked() {
        return this.#asked
      }
    }
    const tool = new Weather()
    const { messages } = await model.chat(asked, { ...greedy, tools: [tool] })
    assert.deepEqual([messages.find(({ role }) => role === 'tool').content, tool.asked], ['1', 1])
  }))

test('the model gets anything that a tool throws', async () => {
  for (const [thrown, told] of [
    [new Error('wet'), 'wet'],
    ['wet', 'wet'],
    [null, 'null'],
    [Object.create(null), '[object Object]'],
    [{ message: 5 }, '[object Object]'],
  ]) {
    await scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
      const { messages, text } = await model.chat(asked, {
        ...greedy,
        tools: [
          {
            ...weather,
            execute: () => {
              throw thrown
            },
          },
        ],
      })
      assert.deepEqual([JSON.parse(messages[1].content), text], [{ error: told }, 'Rain.'])
    })
  }
})

/** A Standard Schema of an object with a city, which is put into upper case. */
const standard = more => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: async ({ city }) => (city === 'Bern' ? { value: { city: 'BERN' } } : { issues: [{ message: 'not Bern' }] }),
    jsonSchema: { input: () => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...city }) },
    ...more,
  },
})

test('parameters are JSON Schema, or a Standard Schema that converts itself', () =>
  scripted([call('weather', { city: 'Bern' }), 'Rain.'], async model => {
    const given = []
    const execute = args => given.push(args)
    const result = await model.chat(asked, { ...greedy, tools: [{ ...weather, parameters: standard(), execute }] })
    assert.deepEqual(given, [{ city: 'BERN' }])
    const prompt = (await prompted(model, result)).replaceAll('\u2581', ' ')
    assert.match(prompt, /"properties": \{"city"/)
    assert.doesNotMatch(prompt, /\$schema|standard/)
  }))

test('arguments are validated before a tool runs', () =>
  scripted([call('weather', { city: 'Thun' }), 'Sorry.'], async model => {
    const execute = () => assert.fail('must not run')
    const { messages } = await model.chat(asked, { ...greedy, tools: [{ ...weather, parameters: standard(), execute }] })
    assert.match(messages.find(({ role }) => role === 'tool').content, /not Bern/)
  }))

test('a chat fills the context unless maxTokens is given', () =>
  scripted(['word '.repeat(400)], async model => {
    const {
      finishReason,
      steps: [{ generation }],
    } = await model.chat(asked, greedy)
    assert.ok(generation.tokens.length > 256 || finishReason === 'stop', finishReason)
    assert.equal((await model.chat(asked, { ...greedy, maxTokens: 5 })).finishReason, 'length')
  }))

test('one signal serves any number of calls without a warning', () =>
  scripted(['Yes.'], async model => {
    const warnings = []
    const warn = warning => warnings.push(warning)
    process.on('warning', warn)
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 20 }, () => model.chat(asked, { ...greedy, signal })))
    await Promise.all(Array.from({ length: 20 }, () => model.logits([1], { signal })))
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', warn)
    assert.deepEqual(warnings, [])
  }))
