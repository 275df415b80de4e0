// responses.create, with Heed's own client and with OpenAI's: output, events and their order, calls, reasoning, structured answers, usage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openai } from 'heed/openai'
import { call, collect, lastPrompt, openaiOver, refuses, scripted } from './support.mjs'

const hello = 'Hello there, how are you today?'

/** Parameters of a scripted model, which follows its script only if it is greedy. */
const asked = (more = {}) => ({ model: 'scripted', input: 'Hi', temperature: 0, ...more })

const weather = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
}

const text = (item, more) => ({ type: 'message', role: 'assistant', status: 'completed', content: [textPart(item)], ...more })
const textPart = text => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const withoutIds = items => items.map(({ id, call_id, ...item }) => item)

test('answers', () =>
  scripted([hello], async client => {
    const { id, created_at, completed_at, usage, output, ...rest } = await client.responses.create(
      asked({ instructions: 'Be brief.', metadata: { a: 'b' }, max_output_tokens: 50, user: 'me', reasoning: { effort: null } }),
    )
    assert.match(id, /^resp_\w+$/)
    assert.ok(Math.abs(created_at - Date.now() / 1000) < 60 && completed_at >= created_at)
    assert.match(output[0].id, /^msg_\w+$/)
    assert.deepEqual(withoutIds(output), [text(hello)])
    assert.deepEqual(rest, {
      object: 'response',
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: 'Be brief.',
      max_output_tokens: 50,
      metadata: { a: 'b' },
      model: 'scripted',
      output_text: hello,
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: true,
      temperature: 0,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: null,
      truncation: 'disabled',
      access_programs: null,
    })
    assert.ok(usage.input_tokens > 5 && usage.output_tokens > 5)
    assert.equal(usage.total_tokens, usage.input_tokens + usage.output_tokens)
    assert.deepEqual(usage.output_tokens_details, { reasoning_tokens: 0 })
    assert.deepEqual(Object.keys(usage.input_tokens_details), ['cached_tokens', 'cache_write_tokens'])
  }))

const turns = [
  `<think>Hm.</think>Let me look. ${call('weather', { city: 'Bern' })}\n${call('weather', { city: 'Thun' })}`,
  'Rain, both.',
]

/** The names of events without their prefix, of which deltas of the same text count once. */
const order = events => {
  const names = events.map(({ type }) => type.replace('response.', ''))
  return names.filter((name, at) => !(name.endsWith('.delta') && name === names[at - 1]))
}
const textOrder = name => [
  'output_item.added',
  'content_part.added',
  `${name}.delta`,
  `${name}.done`,
  'content_part.done',
  'output_item.done',
]
const callOrder = ['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done', 'output_item.done']

test("streams events in OpenAI's order, each item as it is written", () =>
  scripted(turns, async client => {
    const events = await collect(await client.responses.create(asked({ tools: [weather], stream: true })))
    assert.deepEqual(order(events), [
      'created',
      'in_progress',
      ...textOrder('reasoning_text'),
      ...textOrder('output_text'),
      ...callOrder,
      ...callOrder,
      'completed',
    ])
    assert.deepEqual(
      events.map(({ sequence_number }) => sequence_number),
      events.map((_, at) => at),
    )
    const of = type => events.filter(event => event.type === `response.${type}`)
    const [[{ response: created }], [{ response: begun }], [{ response }]] = ['created', 'in_progress', 'completed'].map(of)
    assert.deepEqual([created.status, created.output, created.usage, begun], ['in_progress', [], undefined, created])
    assert.ok(response.id === created.id && response.usage.output_tokens_details.reasoning_tokens > 0)
    const items = response.output
    assert.deepEqual(
      of('output_item.done').map(({ item, output_index }) => [item, output_index]),
      items.map((item, at) => [item, at]),
    )
    assert.deepEqual(withoutIds(items), [
      { type: 'reasoning', status: 'completed', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      text('Let me look.'),
      ...['Bern', 'Thun'].map(city => ({
        type: 'function_call',
        status: 'completed',
        name: 'weather',
        arguments: JSON.stringify({ city }),
      })),
    ])
    assert.deepEqual(
      of('output_item.added').map(({ item: { id, status, content, arguments: given }, output_index }) => [
        id,
        status,
        content ?? given,
        output_index,
      ]),
      items.map(({ id }, at) => [id, 'in_progress', at < 2 ? [] : '', at]),
    )
    for (const { item_id, output_index } of events.filter(({ item_id }) => item_id)) assert.equal(items[output_index].id, item_id)
    const joined = (type, at) => {
      const deltas = of(type).filter(({ output_index }) => output_index === at)
      assert.ok(deltas.length > 1 && deltas.every(({ delta }) => delta.length > 0))
      return deltas.map(({ delta }) => delta).join('')
    }
    assert.equal(joined('reasoning_text.delta', 0), 'Hm.')
    assert.equal(joined('output_text.delta', 1), 'Let me look.')
    assert.equal(joined('function_call_arguments.delta', 3), items[3].arguments)
    const parts = of('content_part.added').map(({ part, content_index }) => [part, content_index])
    assert.deepEqual(parts, [
      [{ type: 'reasoning_text', text: '' }, 0],
      [textPart(''), 0],
    ])
    assert.deepEqual([of('output_text.done')[0].text, of('content_part.done')[1].part], ['Let me look.', textPart('Let me look.')])
    assert.equal(of('function_call_arguments.done')[0].arguments, items[2].arguments)
  }))

test('over fetch, events have their names, and nothing follows the last one', () =>
  scripted([hello], async (client, _, name) => {
    if (name === 'direct') return
    const response = await client.responses.create(asked({ stream: true })).asResponse()
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    const events = (await response.text()).split('\n\n')
    assert.equal(events.pop(), '')
    for (const event of events) {
      const [, named, data] = /^event: (\S+)\ndata: (.+)$/.exec(event)
      assert.equal(JSON.parse(data).type, named)
    }
    assert.match(events.at(-1), /^event: response\.completed\n/)
  }))

test("OpenAI's client accumulates and parses what it gets", () =>
  scripted(turns, async (client, model, name) => {
    if (name === 'direct') return
    const stream = client.responses.stream(
      asked({ tools: [{ ...weather, strict: true, parameters: { ...weather.parameters, additionalProperties: false } }] }),
    )
    let snapshot = ''
    stream.on('response.output_text.delta', ({ snapshot: so }) => {
      snapshot = so
    })
    const { output, output_text } = await stream.finalResponse()
    assert.deepEqual([output_text, snapshot], ['Let me look.', 'Let me look.'])
    assert.deepEqual(
      output.flatMap(({ parsed_arguments: parsed }) => parsed ?? []),
      [{ city: 'Bern' }, { city: 'Thun' }],
    )
  }))

test('answers the results of calls, given as items, as messages or by reference', () =>
  scripted(turns, async (client, model) => {
    const first = await client.responses.create(asked({ input: [{ role: 'user', content: 'Weather?' }], tools: [weather] }))
    const calls = first.output.filter(({ type }) => type === 'function_call')
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'Rain.' }))
    const question = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] }
    const prompts = []
    for (const input of [
      [question, ...first.output, ...results],
      [question, ...first.output.map(({ id }) => ({ type: 'item_reference', id })), ...results],
      [
        question,
        ...first.output.map(({ id }) => ({ id })),
        ...results.map(result => ({ ...result, output: [{ type: 'input_text', text: 'Rain.' }] })),
      ],
    ]) {
      const { output_text } = await client.responses.create(asked({ input, tools: [weather] }))
      assert.equal(output_text, 'Rain, both.')
      prompts.push(await lastPrompt(model))
    }
    const next = await client.responses.create(asked({ input: results, previous_response_id: first.id, tools: [weather] }))
    assert.deepEqual([next.output_text, next.previous_response_id], ['Rain, both.', first.id])
    assert.ok(next.usage.input_tokens_details.cached_tokens > first.usage.input_tokens, 'only what is new is read')
    prompts.push(await lastPrompt(model))
    assert.equal(new Set(prompts).size, 1)
    assert.match(prompts[0], /Let me look\.<tool_call>\n.*Bern.*\n<\/tool_call><tool_call>\n.*Thun/)
    assert.equal(prompts[0].split('<|im_start|>tool\nRain.<|im_end|>').length, 3)
  }))

test('a summary is the whole reasoning, in events of its own', () =>
  scripted([turns[0].split(' <tool')[0]], async (client, model, name) => {
    const reasoning = { summary: 'auto' }
    const { output } = await client.responses.create(asked({ reasoning }))
    assert.deepEqual(withoutIds(output)[0], {
      type: 'reasoning',
      status: 'completed',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
    })
    const events = await collect(await client.responses.create(asked({ reasoning, stream: true })))
    assert.deepEqual(order(events).slice(2, 8), [
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
    ])
    assert.ok(events.slice(3, 7).every(({ summary_index }) => summary_index === 0))
    if (name === 'openai') return
    const told = []
    await openai(model, { onWarning: ({ param }) => told.push(param) }).responses.create(
      asked({ reasoning: { summary: 'concise', effort: 'high' } }),
    )
    assert.deepEqual(told, ['reasoning.summary', 'reasoning.effort'])
  }))

test('an answer that is cut off is incomplete, and so is its last item', () =>
  scripted([hello, call('weather', { city: 'Bern' })], async (client, model) => {
    const after = [
      { role: 'user', content: '?' },
      { role: 'assistant', content: 'Wait.' },
      { role: 'user', content: '?' },
    ]
    for (const [more, type] of [
      [{ max_output_tokens: 3 }, 'message'],
      [{ max_output_tokens: 9, input: after, tools: [weather] }, 'function_call'],
    ]) {
      const whole = await client.responses.create(asked(more))
      const events = await collect(await client.responses.create(asked({ ...more, stream: true })))
      const last = events.at(-1)
      assert.equal(last.type, 'response.incomplete')
      for (const { status, incomplete_details, output, completed_at, usage } of [whole, last.response]) {
        assert.deepEqual([status, incomplete_details, completed_at], ['incomplete', { reason: 'max_output_tokens' }, null])
        assert.deepEqual([output.length, output[0].type, output[0].status], [1, type, 'incomplete'])
        assert.equal(usage.output_tokens, more.max_output_tokens)
      }
      await client.responses.create(asked({ input: 'Go on.', previous_response_id: whole.id, max_output_tokens: 1 }))
      const prompt = await lastPrompt(model)
      assert.ok(type === 'message' ? prompt.includes('Hello') : !prompt.includes('<tool_call>'), 'half a call is nothing to read')
    }
  }))

test('an empty answer is an empty message', () =>
  scripted(['<think>Hm.</think>', 'No.'], async client => {
    const { output, output_text } = await client.responses.create(asked())
    assert.deepEqual([output_text, output.map(({ type }) => type)], ['', ['reasoning', 'message']])
    const events = await collect(await client.responses.create(asked({ stream: true })))
    assert.deepEqual(events.at(-1).response.output[1].content, [textPart('')])
  }))

test('parts and deltas have the log-probabilities of the text', () =>
  scripted([turns[0]], async (client, model, name) => {
    const more = { tools: [weather], include: ['message.output_text.logprobs'], top_logprobs: 2 }
    const { output, top_logprobs } = await client.responses.create(asked(more))
    const [{ logprobs }] = output[1].content
    assert.match(logprobs.map(({ token }) => token).join(''), /Let me look\./)
    for (const { token, logprob, bytes, top_logprobs } of logprobs) {
      assert.ok(logprob <= 0 && top_logprobs.length === 2)
      assert.equal(Buffer.from(bytes).toString(), token)
    }
    assert.equal(top_logprobs, 2)
    const events = await collect(await client.responses.create(asked({ ...more, stream: true })))
    assert.deepEqual(
      events.filter(({ type }) => type === 'response.output_text.delta').flatMap(({ logprobs }) => logprobs),
      logprobs,
    )
    assert.deepEqual(
      events.find(({ type, part }) => type === 'response.content_part.added' && part.type === 'output_text').part.logprobs,
      [],
    )
    if (name === 'openai') return
    const told = []
    await openai(model, { onWarning: ({ param }) => told.push(param) }).responses.create(asked({ top_logprobs: 2 }))
    assert.deepEqual(told, ['top_logprobs'])
  }))

test('answers in JSON match their schema, and calls match theirs', () =>
  scripted(['No.'], async client => {
    const schema = { type: 'object', properties: { cm: { enum: [10, 20] } }, required: ['cm'], additionalProperties: false }
    const format = { type: 'json_schema', name: 'level', strict: true, schema }
    const held = await client.responses.create(asked({ text: { format }, max_output_tokens: 100 }))
    assert.ok(JSON.parse(held.output_text).cm > 5)
    assert.deepEqual(held.text.format, format)
    const any = await client.responses.create(
      asked({ text: { format: { type: 'json_object' } }, whitespace: 'compact', max_output_tokens: 60 }),
    )
    assert.match(any.output_text, /^\{/)
    const tools = [{ type: 'function', name: 'level', parameters: schema, strict: null }, weather]
    for (const tool_choice of [
      { type: 'function', name: 'level' },
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'level' }] },
    ]) {
      const { output, tool_choice: given } = await client.responses.create(asked({ tools, tool_choice, max_output_tokens: 300 }))
      assert.deepEqual([output[0].name, JSON.parse(output[0].arguments).cm > 5, given], ['level', true, tool_choice])
    }
    for (const [format, param, code] of [
      [{ type: 'json_schema', name: 'x', schema: { type: 'objet' } }, 'text.format', 'invalid-argument'],
      [{ type: 'json_schema', name: 'x' }, 'text.format.schema', 'invalid-argument'],
      [{ type: 'xml' }, 'text.format.type', 'invalid-argument'],
    ])
      await refuses(() => client.responses.create(asked({ text: { format } })), { param, code })
  }))

test('a conversation that is too long is an error before the first event, or loses its oldest turns', () =>
  scripted(
    [hello],
    async client => {
      const input = Array.from({ length: 8 }, (_, at) => ({ role: 'user', content: `Number ${at} of the many questions.` }))
      const overflow = { code: 'context-overflow', openaiCode: 'context_length_exceeded' }
      for (const stream of [false, true]) await refuses(() => client.responses.create(asked({ input, stream })), overflow)
      const { output_text, truncation } = await client.responses.create(asked({ input, truncation: 'auto' }))
      assert.deepEqual([output_text, truncation], [hello, 'auto'])
    },
    { context: 200 },
  ))

test('a failure after the first event becomes the last event', () =>
  scripted([hello.repeat(3)], async (_, model, name) => {
    const broken = {
      ...model,
      chat(...args) {
        const chat = model.chat(...args)
        return {
          async *[Symbol.asyncIterator]() {
            let count = 0
            for await (const event of chat) {
              if (++count === 5) throw new Error('The engine broke down')
              yield event
            }
          },
        }
      },
    }
    const client = name === 'direct' ? openai(broken) : openaiOver(broken)
    const events = await collect(await client.responses.create(asked({ stream: true })))
    const { type, sequence_number, response } = events.at(-1)
    assert.deepEqual([type, sequence_number, response.status], ['response.failed', events.length - 1, 'failed'])
    assert.deepEqual(response.error, { code: 'server_error', message: 'The engine broke down' })
    assert.equal(response.id, events[0].response.id)
    await assert.rejects(async () => client.responses.create(asked()), /The engine broke down/)
  }))
