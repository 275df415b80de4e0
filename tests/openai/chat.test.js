// chat.completions.create, with Heed's own client and with OpenAI's: answers, chunks, reasoning, calls, choices, usage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openai } from 'heed/openai'
import { asked, call, collect, joined, lastPrompt, openaiOver, scripted, user, weather, withClients } from './support.mjs'

const hello = 'Hello there, how are you today?'

test('answers', () =>
  scripted([hello], async client => {
    const { id, created, usage, ...rest } = await client.chat.completions.create(asked())
    assert.match(id, /^chatcmpl-\w+$/)
    assert.ok(Math.abs(created - Date.now() / 1000) < 60)
    assert.deepEqual(rest, {
      object: 'chat.completion',
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: hello, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    })
    assert.ok(usage.prompt_tokens > 5 && usage.completion_tokens > 5)
    assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens)
  }))

test('streams token by token', () =>
  scripted([hello], async client => {
    const stream = await client.chat.completions.create(asked({ stream: true }))
    const chunks = await collect(stream)
    const [first, ...rest] = chunks
    assert.deepEqual(first.choices, [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }])
    const last = rest.pop()
    assert.deepEqual(last.choices, [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }])
    assert.ok(rest.length > 4 && rest.every(({ choices: [{ delta }] }) => delta.content.length > 0))
    assert.equal(joined(chunks), hello)
    for (const chunk of chunks) {
      const { object, id, created, model } = chunk
      assert.deepEqual([object, id, created, model], ['chat.completion.chunk', first.id, first.created, 'scripted'])
      assert.ok(!('usage' in chunk))
    }
  }))

test('reports usage in a stream, with the cached tokens', () =>
  scripted([hello], async (client, _, name) => {
    const messages = [user(`Hi ${name}`.repeat(20))]
    const { usage } = await client.chat.completions.create(asked({ messages }))
    const chunks = await collect(
      await client.chat.completions.create(asked({ messages, stream: true, stream_options: { include_usage: true } })),
    )
    const last = chunks.pop()
    assert.deepEqual(last.choices, [])
    assert.deepEqual({ ...last.usage, prompt_tokens_details: undefined }, { ...usage, prompt_tokens_details: undefined })
    assert.ok(last.usage.prompt_tokens_details.cached_tokens > usage.prompt_tokens_details.cached_tokens)
    assert.ok(last.usage.prompt_tokens_details.cached_tokens < last.usage.prompt_tokens)
    assert.ok(chunks.every(({ usage }) => usage === null))
  }))

test('a turn of a conversation reads only new tokens', () =>
  scripted([hello, 'Fine, too.', 'Bye.'], async (client, model, name) => {
    const messages = []
    let before = []
    for (const [at, question] of [`${name}, one?`, 'And two?', 'And three?'].entries()) {
      messages.push(user(question))
      const {
        choices: [{ message }],
        usage,
      } = await client.chat.completions.create(asked({ messages }))
      messages.push(message)
      const {
        steps: [{ promptIds, generation }],
      } = await model.chats.at(-1)
      const common = promptIds.findIndex((id, position) => id !== before[position])
      if (at > 0) assert.equal(usage.prompt_tokens_details.cached_tokens, common)
      before = [...promptIds, ...generation.tokens.map(({ id }) => id)]
    }
  }))

test('returns reasoning as reasoning_content', () =>
  scripted(['<think>\nLet me see.\n</think>\n\nYes.'], async client => {
    const {
      choices: [{ message }],
    } = await client.chat.completions.create(asked())
    assert.deepEqual(message, { role: 'assistant', content: 'Yes.', refusal: null, reasoning_content: 'Let me see.' })
    const chunks = await collect(await client.chat.completions.create(asked({ stream: true })))
    assert.deepEqual([joined(chunks, 'reasoning_content'), joined(chunks)], ['Let me see.', 'Yes.'])
  }))

const turns = [`Let me look. ${call('weather', { city: 'Bern' })}\n${call('weather', { city: 'Thun' })}`, 'Rain, both.']

test('calls tools, and answers their results', () =>
  scripted(turns, async (client, model) => {
    const messages = [user('Weather?')]
    const {
      choices: [{ message, finish_reason }],
    } = await client.chat.completions.create(asked({ messages, tools: [weather] }))
    assert.equal(finish_reason, 'tool_calls')
    assert.equal(message.content, 'Let me look.')
    const calls = message.tool_calls.map(({ id, type, function: { name, arguments: text } }) => {
      assert.match(id, /^\w{9}$/)
      return [type, name, JSON.parse(text)]
    })
    assert.deepEqual(calls, [
      ['function', 'weather', { city: 'Bern' }],
      ['function', 'weather', { city: 'Thun' }],
    ])

    const content = [{ type: 'text', text: 'Rain.' }]
    messages.push(message, ...message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content })))
    const {
      choices: [answer],
    } = await client.chat.completions.create(asked({ messages, tools: [weather] }))
    assert.deepEqual([answer.message.content, answer.finish_reason], ['Rain, both.', 'stop'])
    const prompt = await lastPrompt(model)
    assert.ok(prompt.includes('{"name": "weather", "arguments": {"city": "Thun"}}'), prompt)
    assert.equal(prompt.split('<|im_start|>tool\nRain.<|im_end|>').length, 3)
  }))

test('streams calls while they are generated', () =>
  scripted(turns, async client => {
    const chunks = await collect(await client.chat.completions.create(asked({ tools: [weather], stream: true })))
    const calls = []
    for (const { tool_calls } of chunks.map(({ choices: [{ delta }] }) => delta)) {
      for (const {
        index,
        id,
        function: { name, arguments: text },
      } of tool_calls ?? []) {
        calls[index] ??= { id, name, pieces: [] }
        calls[index].pieces.push(text)
        assert.ok(index === calls.length - 1)
      }
    }
    assert.deepEqual(
      calls.map(({ name, pieces }) => [name, JSON.parse(pieces.join(''))]),
      [
        ['weather', { city: 'Bern' }],
        ['weather', { city: 'Thun' }],
      ],
    )
    assert.ok(calls.every(({ id, pieces }) => /^\w{9}$/.test(id) && pieces.length > 3))
    assert.deepEqual(chunks.at(-1).choices[0].finish_reason, 'tool_calls')
    assert.equal(joined(chunks), 'Let me look.')
  }))

test('templates get the names of tools with their results', () => {
  const template = `{%- for message in messages %}{{ message.role }}:{{ message.name or '' }}:{{ message.content }}|{% endfor %}
<|im_start|><|turn0|>`
  return scripted(
    ['Fine.'],
    async (client, model) => {
      const calls = [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }]
      const messages = [
        user('?'),
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'a', content: 'Rain.' },
      ]
      await client.chat.completions.create(asked({ messages }))
      assert.match(await lastPrompt(model), /user::\?\|assistant::\|tool:weather:Rain\.\|/)
    },
    { template },
  )
})

test('tool_choice none leaves the tools out of the prompt', () =>
  scripted(['No.'], async (client, model) => {
    for (const [tool_choice, isTold] of [
      ['none', false],
      ['auto', true],
    ]) {
      await client.chat.completions.create(asked({ tools: [weather], tool_choice }))
      assert.equal((await lastPrompt(model)).includes('weather'), isTold)
    }
  }))

test('calls of required, named and strict tools match their schemas', () =>
  scripted(['No.', 'Well: <tool_call>\n{"name": "level", "arguments": {"cm": "low"}}\n</tool_call>'], async client => {
    const level = {
      type: 'function',
      function: {
        name: 'level',
        parameters: { type: 'object', properties: { cm: { enum: [10, 20] } }, required: ['cm'], additionalProperties: false },
      },
    }
    const call = async (options, messages) => {
      const {
        choices: [
          {
            message: {
              tool_calls: [
                {
                  function: { name, arguments: given },
                },
              ],
            },
            finish_reason,
          },
        ],
      } = await client.chat.completions.create(asked({ max_tokens: 300, ...options, ...(messages && { messages }) }))
      return [name, JSON.parse(given).cm > 5, finish_reason]
    }
    for (const tool_choice of ['required', { type: 'function', function: { name: 'level' } }]) {
      assert.deepEqual(await call({ tools: [level], tool_choice }), ['level', true, 'tool_calls'])
    }
    const strict = { ...level, function: { ...level.function, strict: true } }
    assert.deepEqual(await call({ tools: [strict] }, [user('?'), { role: 'assistant', content: 'No.' }, user('?')]), [
      'level',
      true,
      'tool_calls',
    ])
  }))

test('accepts messages of all roles, as strings and as parts', () =>
  scripted(['No.', 'Never.', 'Fine.'], async (client, model) => {
    const messages = [
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'Be ' },
          { type: 'text', text: 'brief.' },
        ],
      },
      { ...user('One?'), name: 'Ann' },
      { role: 'assistant', content: 'First.', refusal: null },
      user([{ type: 'text', text: 'Two?' }]),
      { role: 'assistant', content: [{ type: 'text', text: 'Second.' }] },
      user('Three? <|im_end|>'),
    ]
    const {
      choices: [{ message }],
    } = await client.chat.completions.create(asked({ messages }))
    assert.equal(message.content, 'Fine.')
    const {
      steps: [{ promptIds }],
    } = await model.chats.at(-1)
    assert.equal(
      await lastPrompt(model),
      '<s><|im_start|>system\nBe brief.<|im_end|>\n' +
        '<|im_start|>user\nOne?<|im_end|>\n<|im_start|>assistant\nFirst.<|im_end|>\n<|im_start|>user\nTwo?<|im_end|>\n' +
        '<|im_start|>assistant\nSecond.<|im_end|>\n<|im_start|>user\nThree? <|im_end|><|im_end|>\n<|im_start|>assistant\n<|turn2|>',
    )
    const [end] = await model.tokenize([{ control: '<|im_end|>' }], { addSpecial: false })
    assert.equal(promptIds.filter(id => id === end).length, 6)
  }))

test('answers end at stop texts or the maximum length', () =>
  scripted([hello, call('weather', { city: 'Bern' })], async client => {
    const ends = async more => {
      const {
        choices: [{ message, finish_reason }],
        usage,
      } = await client.chat.completions.create(asked(more))
      const chunks = await collect(await client.chat.completions.create(asked({ ...more, stream: true })))
      assert.deepEqual([joined(chunks), chunks.at(-1).choices[0].finish_reason], [message.content ?? '', finish_reason])
      return [message.content, finish_reason, message.tool_calls, usage.completion_tokens]
    }
    assert.deepEqual((await ends({ stop: ', how' })).slice(0, 2), ['Hello there', 'stop'])
    assert.deepEqual((await ends({ stop: ['xyz', 'there'] })).slice(0, 2), ['Hello ', 'stop'])
    for (const name of ['max_tokens', 'max_completion_tokens']) {
      const [text, reason, , tokens] = await ends({ [name]: 3 })
      assert.deepEqual([reason, tokens], ['length', 3])
      assert.ok(hello.startsWith(text) && text !== hello)
    }
    const messages = [user('?'), { role: 'assistant', content: 'Wait.' }, user('?')]
    assert.deepEqual((await ends({ messages, tools: [weather], max_tokens: 9 })).slice(0, 3), ['', 'length', undefined])
  }))

test('an answer ends when the context is full', () =>
  scripted(
    ['On and on and on, '.repeat(20)],
    async client => {
      const {
        choices: [{ message, finish_reason }],
      } = await client.chat.completions.create(asked())
      assert.equal(finish_reason, 'length')
      assert.match(message.content, /^On and on/)
    },
    { context: 60 },
  ))

const long = Array.from({ length: 100 }, (_, at) => `${at} and on, `).join('')

test('generates several answers at once', () =>
  scripted([long], async (client, model) => {
    const { choices, usage } = await client.chat.completions.create(asked({ n: 3, seed: 1 }))
    assert.deepEqual(
      choices.map(({ index, message }) => [index, message.content]),
      [0, 1, 2].map(index => [index, long]),
    )
    const before = model.chats.length
    const stream = await client.chat.completions.create(
      asked({ n: 3, seed: 1, stream: true, stream_options: { include_usage: true } }),
    )
    assert.equal(model.chats.length - before, 3, 'none waits until another has ended')
    const chunks = await collect(stream)
    for (const index of [0, 1, 2]) assert.equal(joined(chunks, 'content', index), long)
    assert.deepEqual(
      [chunks.at(-1).usage.prompt_tokens, chunks.at(-1).usage.completion_tokens],
      [usage.prompt_tokens, usage.completion_tokens],
    )
    assert.equal(usage.completion_tokens % 3, 0)
  }))

test('returns log-probabilities of the answer, and of nothing else', () =>
  scripted([`<think>Is it late?</think>It's ünïcode o'clock. ${call('weather', { city: 'Bern' })}`], async client => {
    const more = { tools: [weather], logprobs: true, top_logprobs: 2 }
    const {
      choices: [{ logprobs }],
    } = await client.chat.completions.create(asked(more))
    const text = logprobs.content.map(({ token }) => token).join('')
    assert.match(text, /It's ünïcode o'clock\./)
    assert.doesNotMatch(text, /late|weather/)
    for (const { token, logprob, bytes, top_logprobs } of logprobs.content) {
      assert.ok(logprob <= 0)
      assert.equal(Buffer.from(bytes).toString(), token)
      assert.equal(top_logprobs.length, 2)
      assert.deepEqual(top_logprobs[0], { token, logprob, bytes })
    }
    const chunks = await collect(await client.chat.completions.create(asked({ ...more, stream: true })))
    assert.deepEqual(
      chunks.flatMap(({ choices: [choice] }) => choice.logprobs?.content ?? []),
      logprobs.content,
    )
    const without = await client.chat.completions.create(asked({ tools: [weather], logprobs: true }))
    assert.deepEqual(
      without.choices[0].logprobs.content,
      logprobs.content.map(one => ({ ...one, top_logprobs: [] })),
    )
  }))

test('a token that is part of a character has its bytes in log-probabilities', () =>
  withClients(undefined, async (client, model) => {
    const texts = await Promise.all(Array.from({ length: 300 }, (_, id) => model.detokenize([id])))
    const part = texts.indexOf('\ufffd')
    const [byte, ...others] = await model.detokenize([part], { bytes: true })
    assert.ok(byte >= 0x80 && others.length === 0)
    const { chat } = model
    model.chat = (messages, options) => chat(messages, { ...options, template: "{{ messages[0]['content'] }}" })
    try {
      const {
        choices: [{ logprobs }],
      } = await client.chat.completions.create({
        ...asked(),
        max_tokens: 3,
        logprobs: true,
        top_logprobs: 2,
        logit_bias: { [part]: 100 },
      })
      assert.deepEqual(
        logprobs.content.map(({ token, bytes }) => [token, bytes]),
        Array(3).fill(['\ufffd', [byte]]),
      )
      for (const { token, bytes } of logprobs.content.flatMap(({ top_logprobs }) => top_logprobs)) {
        if (!token.includes('\ufffd')) assert.deepEqual(bytes, [...Buffer.from(token)])
      }
    } finally {
      model.chat = chat
    }
  }))

test('passes reasoning effort and variables to the template', async () => {
  const end = '{{ "" }}<|im_start|><|turn0|>'
  const thinking = `{{ messages[0].content }}<think></think> {{ enable_thinking }} {{ reasoning_effort }}${end}`
  await scripted(
    ['Yes.'],
    async (client, model) => {
      const prompted = async more => {
        await client.chat.completions.create(asked(more))
        return lastPrompt(model)
      }
      assert.match(await prompted({ reasoning_effort: 'high' }), /<\/think> True high</)
      assert.match(await prompted({ reasoning_effort: 'none' }), /<\/think> False none</)
      assert.match(await prompted({ chat_template_kwargs: { enable_thinking: true } }), /<\/think> True </)
      assert.match(await prompted({ enable_thinking: true }), /<\/think> True </)
      assert.match(await prompted({ enable_thinking: false }), /<\/think> False </)
    },
    { template: thinking },
  )
  await scripted(['Yes.'], async client => {
    assert.equal((await client.chat.completions.create(asked({ reasoning_effort: 'none' }))).choices[0].message.content, 'Yes.')
  })
})

test('an answer has one call at most without parallel calls', () => {
  const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Bern"}}\n</tool_call>'
  return scripted([`${call}\n${call}`], async client => {
    const count = async parallel_tool_calls =>
      (await client.chat.completions.create(asked({ tools: [weather], parallel_tool_calls }))).choices[0].message.tool_calls.length
    assert.deepEqual([await count(undefined), await count(true), await count(false)], [2, 2, 1])
  })
})

test('null parameters, and those with the default value, count as absent', () =>
  scripted([hello], async client => {
    const { choices } = await client.chat.completions.create(
      asked({
        top_p: null,
        n: null,
        stop: null,
        stream: null,
        tools: null,
        seed: null,
        logit_bias: null,
        stream_options: null,
        response_format: { type: 'text' },
        parallel_tool_calls: true,
        store: false,
        user: null,
      }),
    )
    assert.equal(choices[0].message.content, hello)
  }))

test('passes on the parameters of generation', () =>
  scripted([hello], async (client, model) => {
    const parameters = {
      top_p: 0,
      presence_penalty: 1,
      frequency_penalty: -1,
      logit_bias: { 5: -100 },
      seed: 7,
      top_k: 3,
      min_p: 0.1,
      repetition_penalty: 1.1,
      temperature: 0.5,
      max_tokens: 4,
      logprobs: true,
    }
    let options
    const { chat } = model
    model.chat = (messages, given) => chat(messages, (options = given))
    try {
      await client.chat.completions.create(asked(parameters))
    } finally {
      model.chat = chat
    }
    const { signal, ...rest } = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    assert.ok(signal instanceof AbortSignal)
    assert.deepEqual(rest, {
      topP: 1e-9,
      presencePenalty: 1,
      frequencyPenalty: -1,
      logitBias: { 5: -100 },
      seed: 7,
      topK: 3,
      minP: 0.1,
      repetitionPenalty: 1.1,
      temperature: 0.5,
      maxTokens: 4,
      topLogprobs: 1,
    })
  }))

test('answers match a JSON schema', () =>
  scripted(['{"city": "Oslo"}'], async client => {
    const create = more => client.chat.completions.create(asked({ max_tokens: 300, ...more }))
    const json_schema = {
      name: 'place',
      strict: true,
      schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
    }
    for (const response_format of [{ type: 'json_object' }, { type: 'json_schema', json_schema }]) {
      const {
        choices: [{ message, finish_reason }],
      } = await create({ response_format })
      assert.deepEqual([message.content, finish_reason], ['{"city": "Oslo"}', 'stop'])
    }
    const other = { type: 'json_schema', json_schema: { name: 'answer', schema: { enum: ['yes', 'no'] } } }
    const chunks = await collect(await create({ response_format: other, stream: true }))
    assert.match(chunks.map(({ choices: [choice] }) => choice?.delta.content ?? '').join(''), /^"(yes|no)"$/)
    const list = { type: 'json_schema', json_schema: { name: 'list', schema: { const: [1] } } }
    for (const [whitespace, text] of [
      ['compact', '[1]'],
      [{ indent: 1 }, '[\n 1\n]'],
    ]) {
      assert.equal((await create({ response_format: list, whitespace })).choices[0].message.content, text)
    }
    const wrong = { type: 'json_schema', json_schema: { name: 'wrong', schema: { type: 'objet' } } }
    await assert.rejects(async () => create({ response_format: wrong }), /type at #/)
  }))

const report = {
  type: 'json_schema',
  json_schema: {
    name: 'report',
    strict: true,
    schema: {
      type: 'object',
      properties: { rain: { type: 'string' } },
      required: ['rain'],
      additionalProperties: false,
    },
  },
}

test('tools are called before an answer in JSON, whole and streamed', () =>
  scripted([call('weather', { city: 'Bern' }), '{"rain": "<tool_call>"}'], async client => {
    for (const response_format of [report, { type: 'json_object' }]) {
      for (const tool_choice of ['auto', 'required', { type: 'function', function: { name: 'weather' } }]) {
        const first = asked({ response_format, tools: [weather], tool_choice })
        const {
          choices: [{ message, finish_reason }],
        } = await client.chat.completions.create(first)
        assert.deepEqual(
          [message.content, finish_reason, message.tool_calls[0].function],
          [null, 'tool_calls', { name: 'weather', arguments: '{"city":"Bern"}' }],
        )
        const chunks = await collect(await client.chat.completions.create({ ...first, stream: true }))
        assert.equal(
          chunks.map(({ choices: [choice] }) => choice?.delta.tool_calls?.[0].function.arguments ?? '').join(''),
          '{"city":"Bern"}',
        )
      }
      const messages = [
        user('Hi'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
      ]
      const second = asked({ response_format, tools: [weather], messages })
      const {
        choices: [{ message, finish_reason }],
      } = await client.chat.completions.create(second)
      assert.deepEqual([message.content, message.tool_calls, finish_reason], ['{"rain": "<tool_call>"}', undefined, 'stop'])
      const chunks = await collect(await client.chat.completions.create({ ...second, stream: true }))
      assert.equal(chunks.map(({ choices: [choice] }) => choice?.delta.content ?? '').join(''), '{"rain": "<tool_call>"}')
      const {
        choices: [answer],
      } = await client.chat.completions.create({ ...second, messages: [user('Hi')], tool_choice: 'none', max_tokens: 300 })
      assert.equal(answer.message.tool_calls, undefined)
    }
  }))

test("options of schemas: a request's own take precedence over the client's", async () => {
  const response_format = {
    type: 'json_schema',
    json_schema: { name: 'place', schema: { type: 'object', properties: { city: { enum: ['Oslo'] } } } },
  }
  const written = '{"city":  "Oslo", "sky": 1}'
  const ask = (client, more) =>
    client.chat.completions
      .create(asked({ response_format, max_tokens: 40, ...more }))
      .then(({ choices: [{ message }] }) => message.content)
  await scripted([written], async (client, model, name) => {
    const closed = await ask(client)
    assert.ok(!closed.includes('sky') && !closed.includes('  '), `${name}: ${closed}`)
    assert.equal(await ask(client, { whitespace: 'any', closed: false }), written)
    const open =
      name === 'direct'
        ? openai(model, { whitespace: 'any', closed: false })
        : openaiOver(model, { whitespace: 'any', closed: false })
    assert.equal(await ask(open), written)
    assert.ok(!(await ask(open, { closed: true })).includes('sky'))
    assert.ok(!(await ask(open, { whitespace: 'compact', closed: true })).includes('  '))
  })
  await scripted(['Hi.'], async (client, model, name) => {
    if (name !== 'direct') return
    assert.throws(() => openai(model, { closed: 1 }), /closed/)
    assert.throws(() => openai(model, { whitespace: 'some' }), /whitespace/)
    await assert.rejects(async () => client.chat.completions.create(asked({ closed: true })), /closed: needs a `response_format`/)
  })
})
