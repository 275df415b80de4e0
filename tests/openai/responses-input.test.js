// The input of responses: items of conversations, images, and parameters that are ignored, cause a warning or are rejected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heedFetch, openai } from 'heed/openai'
import { pngFrom } from '../support/image_files.mjs'
import { shaded } from '../support/projector_model.mjs'
import { lastPrompt, refuses, scripted, seeing } from './support.mjs'

const asked = (more = {}) => ({ model: 'scripted', input: 'Hi', temperature: 0, ...more })
const user = content => ({ role: 'user', content })
const tool = { type: 'function', name: 'x', parameters: null, strict: null }
const called = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'weather', arguments: '{"city": "Bern"}' }
const result = { type: 'function_call_output', call_id: 'a', output: 'Rain.' }
const thought = { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }
const said = text => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const template = `{%- for message in messages %}{{ message.role }}:{{ message.name or '' }}:{{ message.content }}{{ message.reasoning_content }}
{%- for call in message.tool_calls or [] %}+{{ call.function.name }}{% endfor %}|{% endfor %}<|im_start|><|turn0|>`

test('items become turns: reasoning, text and calls that follow each other are one', () =>
  scripted(
    ['Fine.'],
    async (client, model) => {
      for (const [input, expected] of [
        ['?', 'user::?'],
        [[user('?')], 'user::?'],
        [[{ ...user([{ type: 'input_text', text: '?' }]), type: 'message', status: 'completed', phase: null }], 'user::?'],
        [[{ role: 'system', content: 'S' }, { role: 'developer', content: 'D' }, user('?')], 'system::S|system::D|user::?'],
        [
          [user('?'), thought, said('A.'), called, { ...called, call_id: 'b' }, result],
          'user::?|assistant::A.Hm.+weather+weather|tool:weather:Rain.',
        ],
        [
          [user('?'), called, result, called, result],
          'user::?|assistant::+weather|tool:weather:Rain.|assistant::+weather|tool:weather:Rain.',
        ],
        [[user('?'), said('A.'), said('B.')], 'user::?|assistant::A.|assistant::B.'],
        [[user('?'), called, said('A.')], 'user::?|assistant::A.+weather'],
        [[user('?'), said('A.'), thought, said('B.')], 'user::?|assistant::A.|assistant::B.Hm.'],
        [
          [user('?'), { ...thought, content: undefined, summary: [{ type: 'summary_text', text: 'So.' }] }, said('A.')],
          'user::?|assistant::A.So.',
        ],
        [[user('?'), { ...thought, content: [], encrypted_content: 'x' }, said('A.')], 'user::?|assistant::A.'],
        [[user('?'), { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }], 'user::?|assistant::No.'],
        [
          [
            user('?'),
            {
              ...said('A.'),
              content: [
                { type: 'output_text', text: 'A', logprobs: [], parsed: null },
                { type: 'output_text', text: '.' },
              ],
            },
          ],
          'user::?|assistant::A.',
        ],
        [[user('?'), { ...called, status: 'incomplete' }, user('!')], 'user::?|user::!'],
        [
          [
            user('?'),
            { ...called, parsed_arguments: {}, caller: { type: 'direct' } },
            { ...result, output: [{ type: 'input_text', text: 'Rain.' }], name: 'rain' },
          ],
          'user::?|assistant::+weather|tool:weather:Rain.',
        ],
      ]) {
        const { output_text } = await client.responses.create(asked({ input }))
        assert.equal(output_text, 'Fine.')
        assert.equal((await lastPrompt(model)).replace('<s>', '').split('|<')[0], expected)
      }
    },
    { template },
  ))

const url = `data:image/png;base64,${Buffer.from(pngFrom(shaded(3))).toString('base64')}`
const image = more => ({ type: 'input_image', image_url: url, detail: 'auto', ...more })

test('users show images, which a conversation keeps', () =>
  seeing(['A fox.', 'Red.'], async (client, model) => {
    const input = [user([{ type: 'input_text', text: 'What is this?' }, image()])]
    const { id, output_text } = await client.responses.create(asked({ input }))
    assert.equal(output_text, 'A fox.')
    const next = await client.responses.create(asked({ input: 'Its color?', previous_response_id: id }))
    assert.equal(next.output_text, 'Red.')
    const { steps } = await model.chats.at(-1)
    assert.equal(steps[0].prompt.filter(part => part.image).length, 1)
    for (const [part, param, code] of [
      [image({ image_url: undefined }), 'input[0].content[0].image_url', 'invalid-argument'],
      [image({ image_url: 'https://example.org/fox.png' }), 'input[0].content[0].image_url', 'unsupported'],
      [image({ image_url: 'data:image/png;base64,AAAA' }), 'input[0].content[0].image_url', 'invalid-argument'],
      [image({ image_url: undefined, file_id: 'file_1' }), 'input[0].content[0].file_id', 'unsupported'],
      [{ type: 'input_file', file_data: '' }, 'input[0].content[0].type', 'unsupported'],
    ]) {
      await assert.rejects(
        async () => client.responses.create(asked({ input: [user([part])] })),
        error => {
          assert.deepEqual([error.param, error.code], [param, code], error.message)
          return true
        },
      )
    }
  }))

const ignored = [
  { user: 'me' },
  { service_tier: 'auto' },
  { safety_identifier: 'a' },
  { prompt_cache_key: 'a' },
  { prompt_cache_options: { ttl: '30m' } },
  { prompt_cache_retention: '24h' },
  { max_tool_calls: 3 },
  { client_metadata: { session: 'a' } },
  { stream_options: { include_obfuscation: false } },
  { include: ['reasoning.encrypted_content', 'file_search_call.results'] },
  { store: true },
  { tools: null },
  { tools: [] },
  { text: { verbosity: 'medium' } },
  { reasoning: { summary: 'detailed', context: 'auto', mode: 'standard' } },
  { seed: -1, frequency_penalty: 0, top_k: -1, max_output_tokens: -1 },
]
const leftOut = [
  ['moderation', { moderation: { model: 'x' } }],
  ['text.verbosity', { text: { verbosity: 'low' } }],
  ['context_management', { context_management: [{ type: 'compaction' }] }],
  ['reasoning.effort', { reasoning: { effort: 'high' } }],
  ['reasoning.generate_summary', { reasoning: { generate_summary: 'concise' } }],
  ['tools[0].defer_loading', { tools: [{ ...tool, defer_loading: true }] }],
  ['tools[1].type', { tools: [tool, { type: 'web_search', external_web_access: false }] }],
]

test('parameters without effect are ignored; those that would influence the answer cause a warning', () =>
  scripted(['Yes.'], async (_, model, name) => {
    if (name !== 'direct') return
    for (const [param, more] of [...ignored.map(more => ['', more]), ...leftOut]) {
      const told = []
      const whole = await openai(model, { onWarning: one => told.push(one.param) }).responses.create(asked(more))
      assert.deepEqual([whole.output_text, told.join()], ['Yes.', param], JSON.stringify(more))
      const response = await heedFetch(model)('https://heed.local/v1/responses', {
        method: 'POST',
        body: JSON.stringify(asked({ ...more, stream: true })),
      })
      assert.equal(response.headers.get('x-heed-warning')?.split(': ')[0] ?? '', param)
      assert.match(await response.text(), /response\.completed/)
    }
  }))

test('a request of Codex is answered, with the tools that the model can call', () =>
  scripted(['Yes.'], async (_, model, name) => {
    if (name !== 'direct') return
    const told = []
    const functions = ['exec_command', 'update_plan'].map(name => ({ ...tool, name, strict: false }))
    const others = [
      { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      { type: 'web_search', external_web_access: false },
      { type: 'namespace', name: 'mcp__notes', description: 'Notes.', tools: [tool] },
      { type: 'image_generation', output_format: 'png' },
      { type: 'tool_search', execution: 'client' },
    ]
    const { output_text, tools } = await openai(model, { onWarning: ({ message }) => told.push(message) }).responses.create({
      model: 'scripted',
      instructions: 'You are Codex.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be careful.' }] },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Hi' }],
          internal_chat_message_metadata_passthrough: { turn_id: 'a' },
        },
      ],
      tools: [...functions, ...others],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: null,
      store: false,
      include: [],
      prompt_cache_key: 'a',
      client_metadata: { 'x-codex-installation-id': 'a' },
      temperature: 0,
    })
    assert.equal(output_text, 'Yes.')
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['exec_command', 'update_plan'],
    )
    assert.deepEqual(
      told,
      others.map(({ type }, at) => `tools[${at + 2}].type: ${type} is left out: only functions are supported`),
    )
    for (const param of ['tool_choice', 'tools'])
      await assert.rejects(
        openai(model).responses.create(
          asked({ tools: [tool], [param]: param === 'tools' ? [{ type: 'mcp' }] : { type: 'web_search' } }),
        ),
        { param: param === 'tools' ? 'tools[0].type' : 'tool_choice.type', code: 'unsupported' },
      )
    await assert.rejects(openai(model).responses.create(asked({ tools: others, tool_choice: 'required' })), {
      param: 'tool_choice',
    })
  }))

test('wrong and unsupported parameters are errors that name them', () =>
  scripted(['Yes.'], async client => {
    for (const [name, value, param = name] of [
      ['input', undefined],
      ['input', []],
      ['input', 5],
      ['input', [5], 'input[0]'],
      ['input', [{ role: 'model', content: '' }], 'input[0].role'],
      ['input', [{ role: 'user' }], 'input[0].content'],
      ['input', [user([{ type: 'input_text' }])], 'input[0].content[0].text'],
      ['input', [{ type: 'function_call', name: 'x' }], 'input[0].call_id'],
      ['input', [{ type: 'function_call', call_id: 'x' }], 'input[0].name'],
      ['input', [{ type: 'function_call_output', output: 'x' }], 'input[0].call_id'],
      ['input', [{ type: 'function_call_output', call_id: 'x' }], 'input[0].output'],
      ['input', [{ type: 'reasoning', summary: 'x' }], 'input[0].summary'],
      ['input', [{ type: 'item_reference' }], 'input[0].id'],
      ['instructions', 5],
      ['temperature', 3],
      ['top_logprobs', 21],
      ['max_output_tokens', 0],
      ['include', ['everything'], 'include[0]'],
      ['truncation', 'some'],
      ['background', 'yes'],
      ['metadata', 'a'],
      ['reasoning', { summary: 'short' }, 'reasoning.summary'],
      ['tool_choice', 'maybe'],
      ['tool_choice', 'required'],
      ['tool_choice', { type: 'function', name: 'x' }],
      ['tool_choice', { type: 'function' }, 'tool_choice.name'],
      ['tool_choice', { type: 'allowed_tools', mode: 'auto' }, 'tool_choice.tools'],
      ['tools', [{ type: 'function' }], 'tools[0].name'],
      ['tools', [{ ...tool, parameters: 'x' }], 'tools[0].parameters'],
      ['whitespace', 'compact'],
    ])
      await refuses(() => client.responses.create(asked({ [name]: value })), { param })
    for (const [name, value, param = name] of [
      ['temprature', 1],
      ['n', 2],
      ['conversation', 'conv_1'],
      ['prompt', { id: 'x' }],
      ['tools', [{ type: 'code_interpreter' }], 'tools[0].type'],
      ['tools', [{ type: 'web_serch' }], 'tools[0].type'],
      ['tools', [{ ...tool, color: 'red' }], 'tools[0].color'],
      ['tool_choice', { type: 'mcp', server_label: 'x' }, 'tool_choice.type'],
      ['input', [{ type: 'web_search_call' }], 'input[0].type'],
      ['input', [{ ...user('?'), color: 'red' }], 'input[0].color'],
      ['input', [user([image()])], 'input[0].content[0].type'],
      ['input', [{ role: 'system', content: [image()] }], 'input[0].content[0].type'],
    ])
      await refuses(() => client.responses.create(asked({ [name]: value })), { param, code: 'unsupported' })
  }))
