// Errors: directly, HeedErrors that name the parameter; over fetch, responses like those of OpenAI's server.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import OpenAI from 'openai'
import { HeedError, loadModel } from 'heed'
import { heedFetch } from 'heed/openai'
import { goldenBytes } from '../support/golden.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { asked, lastPrompt, refuses, scripted, user, withClients } from './support.mjs'

/** The parameter, its value, and the name in the error, if that is a part of the value. */
const wrongOfChats = [
  ['messages', undefined],
  ['messages', 'Hi'],
  ['messages', []],
  ['messages', [5], 'messages[0]'],
  ['messages', [{ content: 'x' }], 'messages[0].role'],
  ['messages', [user('?'), { role: 'function', content: 'x', name: 'y' }], 'messages[1].role'],
  ['messages', [{ role: 'user' }], 'messages[0].content'],
  ['messages', [user([])].concat({ role: 'user', content: null }), 'messages[1].content'],
  ['messages', [user([{ type: 'text' }])], 'messages[0].content[0].text'],
  ['messages', [{ role: 'tool', content: 'x' }], 'messages[0].tool_call_id'],
  [
    'messages',
    [{ role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'x' } }] }],
    'messages[0].tool_calls[0].id',
  ],
  ['messages', [{ role: 'assistant', tool_calls: [{ id: 'a', function: {} }] }], 'messages[0].tool_calls[0].function.name'],
  ['temperature', -1],
  ['temperature', 2.5],
  ['temperature', '1'],
  ['top_p', 2],
  ['presence_penalty', 3],
  ['frequency_penalty', -3],
  ['logit_bias', 5],
  ['logit_bias', { x: 1 }],
  ['logit_bias', { 5: 101 }, 'logit_bias.5'],
  ['seed', 0.5],
  ['n', 0],
  ['n', 129],
  ['stop', ''],
  ['stop', [5], 'stop[0]'],
  ['max_tokens', 0],
  ['max_completion_tokens', 1.5],
  ['top_k', -2],
  ['min_p', 2],
  ['stream', 'yes'],
  ['logprobs', 2],
  ['top_logprobs', 2],
  ['whitespace', 'none', 'whitespace'],
  ['whitespace', { indent: 11 }, 'whitespace.indent'],
  ['whitespace', {}, 'whitespace.indent'],
  ['whitespace', 'any', 'whitespace'],
  ['response_format', { type: 'xml' }, 'response_format.type'],
  ['response_format', { type: 'json_schema' }, 'response_format.json_schema'],
  ['response_format', { type: 'json_schema', json_schema: { name: 'x', schema: 5 } }, 'response_format.json_schema.schema'],
  ['tool_choice', 'maybe'],
  ['tool_choice', 'required'],
  ['tool_choice', { type: 'function', function: { name: 'x' } }],
  ['tool_choice', { type: 'function' }, 'tool_choice.function.name'],
  ['tools', [{ type: 'function', function: { name: 'x', strict: 5 } }], 'tools[0].function.strict'],
  ['parallel_tool_calls', 'no'],
  ['tools', {}],
  ['tools', [{ type: 'function', function: {} }], 'tools[0].function.name'],
  ['tools', [{ type: 'function', function: { name: 'x', parameters: 'y' } }], 'tools[0].function.parameters'],
]

const unsupportedOfChats = [
  ['messages', [{ ...user('?'), color: 'red' }], 'messages[0].color'],
  ['temprature', 1],
  ['audio', {}],
  ['functions', []],
  ['function_call', 'auto'],
  ['web_search_options', {}],
  ['modalities', ['text', 'audio'], 'modalities[1]'],
  ['tool_choice', { type: 'custom', custom: { name: 'x' } }, 'tool_choice.type'],
  ['tools', [{ type: 'custom', custom: { name: 'x' } }], 'tools[0].type'],
  ['messages', [user([{ type: 'image_url', image_url: { url: 'data:,' } }])], 'messages[0].content[0].type'],
  ['messages', [{ role: 'assistant', function_call: { name: 'x', arguments: '{}' } }], 'messages[0].function_call'],
]

test('rejects invalid and unsupported parameters of chats', () =>
  scripted(['Yes.'], async client => {
    const refused = (list, code) =>
      Promise.all(
        list.map(([name, value, param = name]) =>
          refuses(() => client.chat.completions.create(asked({ [name]: value })), { param, code }),
        ),
      )
    await refused(wrongOfChats, 'invalid-argument')
    await refused(unsupportedOfChats, 'unsupported')
    for (const [schema, code] of [
      [{ type: 'objet' }, 'invalid-argument'],
      [{ $ref: 'https://example.org/other' }, 'unsupported'],
    ]) {
      const response_format = { type: 'json_schema', json_schema: { name: 'wrong', schema } }
      for (const stream of [false, true]) {
        await refuses(
          () => client.chat.completions.create(asked({ response_format, stream })),
          { param: 'response_format', code },
          /at #/,
        )
      }
    }
    const {
      choices: [{ message }],
    } = await client.chat.completions.create(asked({ user: 'me', metadata: { a: 'b' }, service_tier: 'auto' }))
    assert.equal(message.content, 'Yes.', 'what only concerns the servers of OpenAI has no effect')
    for (const wrong of [{ user: 5 }, { metadata: 'a' }, { service_tier: 1 }]) {
      await refuses(() => client.chat.completions.create(asked(wrong)), { param: Object.keys(wrong)[0] })
    }
  }))

test('rejects invalid and unsupported parameters of completions', () =>
  withClients(undefined, async client => {
    const create = (name, value) => () => client.completions.create({ model: '', prompt: 'Once', max_tokens: 1, [name]: value })
    for (const [name, value] of [
      ['prompt', undefined],
      ['prompt', 5],
      ['prompt', []],
      ['prompt', ['a', 5]],
      ['prompt', [[1], 'a']],
      ['prompt', [0.5]],
      ['logprobs', 21],
      ['logprobs', true],
      ['max_tokens', 0],
      ['echo', 1],
    ])
      await refuses(create(name, value), { param: name })
    for (const [name, value] of [
      ['suffix', 'x'],
      ['best_of', 2],
      ['messages', []],
    ]) {
      await refuses(create(name, value), { param: name, code: 'unsupported' })
    }
    await refuses(() => client.completions.create({ model: '', prompt: 'x', echo: true, logprobs: 1 }), {
      param: 'echo',
      code: 'unsupported',
    })
    await refuses(create('prompt', [2 ** 40]), { param: null })
  }))

test('rejects invalid and unsupported parameters of embeddings', () =>
  withClients(goldenBytes('bert'), async client => {
    const create = (name, value) => () => client.embeddings.create({ model: '', input: 'a', [name]: value })
    for (const [name, value] of [
      ['input', undefined],
      ['input', []],
      ['encoding_format', 'int8'],
      ['dimensions', 0],
    ]) {
      await refuses(create(name, value), { param: name })
    }
    await refuses(create('dimensions', 33), { param: null }, /dimensions: must be from 1 to the model's 32/)
    await refuses(create('user', 5), { param: 'user' })
    assert.equal((await create('user', 'me')()).data.length, 1)
  }))

test('rejects invalid bodies, options and URLs', () =>
  scripted(['Yes.'], async (client, model, name) => {
    if (name === 'direct') {
      for (const create of [client.chat.completions.create, client.completions.create, client.embeddings.create]) {
        await refuses(() => create(), { param: 'body' })
        await refuses(() => create([]), { param: 'body' })
      }
      for (const odd of [5n, Symbol('x'), model, () => {}, NaN]) {
        await refuses(() => client.chat.completions.create(asked({ n: odd })), { param: 'n' })
      }
      await refuses(() => client.chat.completions.create(asked(), { signal: 5 }), { param: 'options.signal' })
      await refuses(() => client.chat.completions.create(asked(), { timeout: 5 }), {
        param: 'options.timeout',
        code: 'unsupported',
      })
      return
    }
    const fetch = heedFetch(model)
    const answer = async (path, init) => {
      const response = await fetch(`https://heed.local/v1/${path}`, init)
      const { error } = await response.json()
      return [response.status, error.code, error.param]
    }
    assert.deepEqual(await answer('chat/completions', { method: 'POST', body: '{' }), [400, 'invalid-argument', 'body'])
    assert.deepEqual(await answer('chat/completions', { method: 'POST' }), [400, 'invalid-argument', 'body'])
    assert.deepEqual(await answer('chat/completions'), [404, 'url_not_found', 'url'])
    assert.deepEqual(await answer('constructor', { method: 'POST', body: '{}' }), [404, 'url_not_found', 'url'])
    for (const [method, path] of [
      ['GET', 'responses'],
      ['POST', 'responses/resp_1'],
      ['POST', 'responses/compact'],
      ['GET', 'responses/resp_1/input_items'],
    ])
      assert.deepEqual(
        await answer(path, { method, ...(method === 'POST' && { body: '{}' }) }),
        [404, 'url_not_found', 'url'],
        path,
      )
    assert.deepEqual(await answer('models', { method: 'POST', body: '{}' }), [404, 'url_not_found', 'url'])
    await refuses(
      () => client.moderations.create({ input: 'x' }),
      { param: 'url', openaiCode: 'url_not_found', status: 404 },
      /POST \/v1\/moderations$/,
    )
  }))

test('fetch accepts URLs and requests', () =>
  scripted(['Yes.'], async (_, model, name) => {
    if (name === 'direct') return
    const fetch = heedFetch(model)
    const url = 'http://localhost:1234/api/v1/chat/completions?x=1'
    const init = { method: 'POST', body: JSON.stringify(asked()) }
    for (const input of [[url, init], [new URL(url), init], [new Request(url, init)]]) {
      const response = await fetch(...input)
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/json'])
      assert.equal((await response.json()).choices[0].message.content, 'Yes.')
    }
    assert.equal((await (await fetch('https://x.example/models')).json()).data[0].id, 'scripted')
    assert.equal((await (await fetch('https://x.example/models/a%2Fb%20c')).json()).id, 'scripted')
    const below = await fetch('https://x.example/models/completions', { method: 'POST', body: '{"prompt": "x", "max_tokens": 1}' })
    assert.equal((await below.json()).object, 'text_completion')
  }))

test('rejects prompts that are too long, or that the template rejects', async () => {
  for (const stream of [false, true]) {
    await scripted(
      ['Yes.'],
      client =>
        refuses(
          () => client.chat.completions.create(asked({ messages: [user('long '.repeat(200))], stream })),
          { code: 'context-overflow', openaiCode: 'context_length_exceeded' },
          client instanceof OpenAI
            ? /This model's maximum context length is 128 tokens: prompt: has \d+ tokens, .* room for 128$/
            : /^prompt: has \d+ tokens, .* room for 128$/,
        ),
      { context: 128 },
    )
    await scripted(
      ['Yes.'],
      client => refuses(() => client.chat.completions.create(asked({ stream })), { code: 'template' }, /Not so\./),
      { template: "{{ raise_exception('Not so.') }}" },
    )
  }
})

test('rejects what a model does not support', async () => {
  await withClients(goldenBytes('llama-gqa'), async client => {
    await refuses(() => client.chat.completions.create(asked()), { code: 'unsupported' }, /no chat template/)
    await refuses(() => client.embeddings.create({ model: '', input: 'a' }), { code: 'unsupported' })
  })
  await withClients(goldenBytes('bert'), client =>
    refuses(() => client.completions.create({ model: '', prompt: 'a' }), { code: 'unsupported' }),
  )
})

let disposed
before(async () => {
  disposed = await loadModel(scriptedModel(['Yes.']), { threads: 1 })
  await disposed.dispose()
})

test('a disposed model is a server error that is not retried', async () => {
  let requests = 0
  const fetch = heedFetch(disposed)
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'https://heed.local/v1',
    fetch: (...args) => (requests++, fetch(...args)),
  })
  for (const stream of [false, true]) {
    await refuses(() => client.chat.completions.create(asked({ stream })), { code: 'disposed', status: 500 })
  }
  assert.equal(requests, 2)
})

test('an error in a stream ends it', () =>
  scripted([Array.from({ length: 200 }, (_, at) => `${at} and on, `).join('')], async (client, model) => {
    const { chat } = model
    model.chat = (...args) => {
      const made = chat(...args)
      let events = 0
      return Object.assign(Object.create(made), {
        // biome-ignore lint/suspicious/noThenProperty: what it stands for can be awaited
        then: made.then.bind(made),
        async *[Symbol.asyncIterator]() {
          for await (const event of made) {
            if (++events === 5) throw new HeedError('crashed', 'The engine broke down')
            yield event
          }
        },
      })
    }
    let text = ''
    try {
      await assert.rejects(
        async () => {
          const stream = await client.chat.completions.create(asked({ stream: true }))
          for await (const {
            choices: [{ delta }],
          } of stream)
            text += delta.content ?? ''
        },
        error => error.code === 'crashed' && /The engine broke down/.test(error.message),
      )
    } finally {
      model.chat = chat
    }
    assert.match(text, /^0 and/)
    assert.equal((await model.chats.at(-1)).finishReason, 'abort')
  }))

test('arguments of calls that are not a JSON object are kept; empty ones become {}', () =>
  scripted(['Wait.', 'Sorry.'], async (client, model) => {
    for (const [text, shown = JSON.stringify(text)] of [
      ['{"a" 5}'],
      ['[1]'],
      ['[null]'],
      ['null', '{}'],
      ['[]', '{}'],
      ['', '{}'],
      [' ', '{}'],
    ]) {
      const calls = [{ id: 'a', type: 'function', function: { name: 'x', arguments: text } }]
      const messages = [
        user('?'),
        { role: 'assistant', content: 'Wait.', tool_calls: calls },
        { role: 'tool', tool_call_id: 'a', content: 'No.' },
      ]
      assert.equal((await client.chat.completions.create(asked({ messages }))).choices[0].message.content, 'Sorry.')
      assert.ok((await lastPrompt(model)).includes(`"arguments": ${shown}}`))
    }
  }))
