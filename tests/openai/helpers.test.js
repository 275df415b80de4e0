// Helpers of OpenAI's client: accumulating streams, running tools, raw responses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withModel } from '../package/support.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { asked, call, openaiOver, weather } from './support.mjs'

const withOpenAI = (turns, body) => withModel(scriptedModel(turns), { threads: 1 }, model => body(openaiOver(model)))

const spoken = `<think>Hm.</think>Let me look. ${call('weather', { city: 'Bern' })}`

test('stream() accumulates chunks', () =>
  withOpenAI([spoken], async client => {
    const events = []
    const stream = client.chat.completions
      .stream(asked({ tools: [weather], stream_options: { include_usage: true }, logprobs: true }))
      .on('content', () => events.push('content'))
      .on('tool_calls.function.arguments.done', ({ name, arguments: text }) => events.push([name, JSON.parse(text)]))
      .on('logprobs.content.done', ({ content }) => events.push(content.length > 0))
    const {
      choices: [{ message, finish_reason }],
      usage,
    } = await stream.finalChatCompletion()
    assert.deepEqual([message.content, finish_reason], ['Let me look.', 'tool_calls'])
    assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), { city: 'Bern' })
    assert.ok(usage.total_tokens > 0)
    for (const expected of ['content', ['weather', { city: 'Bern' }], true]) {
      assert.ok(
        events.some(event => JSON.stringify(event) === JSON.stringify(expected)),
        JSON.stringify(expected),
      )
    }
  }))

for (const stream of [false, true]) {
  test(`runTools() runs tools in a loop, ${stream ? 'in chunks' : 'whole'}`, () =>
    withOpenAI([spoken, call('weather', { city: 'Thun' }), 'Rain in both.'], async client => {
      const cities = []
      const tool = {
        type: 'function',
        function: {
          ...weather.function,
          parse: JSON.parse,
          function: ({ city }) => (cities.push(city), `Rain in ${city}.`),
        },
      }
      const runner = client.chat.completions.runTools(asked({ tools: [tool], stream, top_p: 1 }))
      assert.equal(await runner.finalContent(), 'Rain in both.')
      assert.deepEqual(cities, ['Bern', 'Thun'])
    }))
}

test('raw responses are server-sent events, or JSON', () =>
  withOpenAI(['Hello there, how are you?'], async client => {
    const whole = await client.chat.completions.create(asked()).asResponse()
    assert.equal(whole.headers.get('content-type'), 'application/json')
    assert.equal((await whole.json()).object, 'chat.completion')
    const raw = await client.chat.completions.create(asked({ stream: true })).asResponse()
    assert.equal(raw.headers.get('content-type'), 'text/event-stream')
    const events = (await raw.text()).split('\n\n')
    assert.equal(events.pop(), '')
    assert.equal(events.pop(), 'data: [DONE]')
    assert.ok(events.length > 5)
    for (const event of events) assert.equal(JSON.parse(event.replace(/^data: /, '')).object, 'chat.completion.chunk')
  }))

test('streams can be split, and turned into byte streams', () =>
  withOpenAI(['Hello there, how are you?'], async client => {
    const [left, right] = (await client.chat.completions.create(asked({ stream: true }))).tee()
    let [text, bytes] = ['', '']
    for await (const {
      choices: [{ delta }],
    } of left)
      text += delta.content ?? ''
    for await (const chunk of right.toReadableStream()) bytes += Buffer.from(chunk)
    assert.equal(text, 'Hello there, how are you?')
    assert.ok(bytes.trim().split('\n').length > 5)
  }))

test('models are listed page by page', () =>
  withOpenAI(['Hello.'], async client => {
    const ids = []
    for await (const { id } of client.models.list()) ids.push(id)
    assert.deepEqual(ids, ['scripted'])
  }))
