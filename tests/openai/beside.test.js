// Parameters of OpenAI's API that have no effect for a model in a page: which are ignored, which cause a warning (in `onWarning`
// and in headers), and which fields of other providers' conversations are read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heedFetch, openai, ParameterError } from 'heed/openai'
import { pngFrom } from '../support/image_files.mjs'
import { shaded } from '../support/projector_model.mjs'
import { scriptedTemplate } from '../support/scripted_model.mjs'
import { asked, collect, joined, lastPrompt, scripted, seeing, user, weather } from './support.mjs'

/** The answer and the warnings of a request: directly, and over fetch, which must agree. `body` gets the response, too. */
async function warned(model, more) {
  const [told, also] = [[], []]
  const whole = await openai(model, { onWarning: warning => told.push(warning) }).chat.completions.create(asked(more))
  const fetch = heedFetch(model, { onWarning: warning => also.push(warning) })
  for (const stream of [false, true]) {
    also.length = 0
    const response = await fetch('https://heed.local/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify(asked({ ...more, stream })),
    })
    assert.equal(response.status, 200)
    await response.text()
    const expected = stream ? told.filter(({ param }) => param !== 'stream_options') : told
    assert.deepEqual(also, expected)
    assert.equal(response.headers.get('x-heed-warning'), expected.map(({ message }) => message).join(', ') || null)
  }
  assert.equal(whole.choices[0].message.content, 'Yes.')
  return told.map(({ param, message }) => {
    assert.ok(message.startsWith(`${param}: `), message)
    return param
  })
}

const ignored = [
  { user: 'me' },
  { metadata: { a: 'b' } },
  { service_tier: 'auto' },
  { safety_identifier: 'a' },
  { prompt_cache_key: 'a' },
  { prompt_cache_options: { ttl: '30m' } },
  { prompt_cache_retention: '24h' },
  { store: false },
  { modalities: ['text'] },
  { verbosity: 'medium' },
  { seed: -1 },
  { tools: null },
  { tools: [] },
  { max_tokens: -1 },
  { max_completion_tokens: -1 },
  { top_k: -1 },
  { logprobs: false, top_logprobs: 0 },
  { top_logprobs: 0 },
  {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
      user('Hi'),
    ],
  },
  { tools: [{ ...weather, cache_control: { type: 'ephemeral' } }] },
  { enable_thinking: false },
]
const leftOut = [
  { verbosity: 'low' },
  { store: true },
  { moderation: { model: 'x' } },
  { prediction: { type: 'content', content: 'x' } },
  { reasoning_effort: 'high' },
  { stream_options: { include_usage: true } },
  { stream_options: { include_usage: true, include_obfuscation: false } },
]

test('parameters without effect are ignored; those that would influence the answer cause a warning', () =>
  scripted(['Yes.'], async (_, model, name) => {
    if (name !== 'direct') return
    for (const more of ignored) assert.deepEqual(await warned(model, more), [], JSON.stringify(more))
    for (const more of leftOut) assert.deepEqual(await warned(model, more), Object.keys(more), JSON.stringify(more))
    assert.deepEqual(await warned(model, { verbosity: 'high', store: true, user: 'me' }), ['verbosity', 'store'])
    assert.equal(
      (await openai(model).chat.completions.create(asked({ verbosity: 'low' }))).choices[0].message.content,
      'Yes.',
      'nobody has to listen',
    )
    assert.throws(
      () => openai(model, { onWarning: 'log' }),
      error => error instanceof ParameterError && error.param === 'options.onWarning',
    )
  }))

test('an image has the resolution that the model chooses', () =>
  seeing(['Yes.'], async (_, model, name) => {
    if (name !== 'direct') return
    const url = `data:image/png;base64,${Buffer.from(pngFrom(shaded(3))).toString('base64')}`
    const shown = detail => ({
      messages: [user([{ type: 'image_url', image_url: { url, detail }, prompt_cache_breakpoint: { mode: 'explicit' } }])],
    })
    for (const detail of ['auto', null]) assert.deepEqual(await warned(model, shown(detail)), [])
    for (const detail of ['low', 'high', 'original'])
      assert.deepEqual(await warned(model, shown(detail)), ['messages[0].content[0].image_url.detail'])
  }))

const prompt = '<|im_start|>assistant\n'
const thinking = scriptedTemplate.replace(
  prompt,
  `${prompt}{% if enable_thinking is defined %}{{ "+" if enable_thinking else "-" }}{% endif %}`,
)
const graded = scriptedTemplate.replace(prompt, `${prompt}{{ reasoning_effort }}`)
for (const [name, template, expected] of [
  ['neither', scriptedTemplate, { none: [''], low: ['', 'cannot turn it on'], max: ['', 'cannot turn it on'] }],
  [
    'turn reasoning on and off',
    thinking,
    { none: ['-'], low: ['+', 'only turn it on or off'], xhigh: ['+', 'only turn it on or off'] },
  ],
  ['know efforts', graded, { none: ['none'], minimal: ['low', 'gets low'], medium: ['medium'], max: ['high', 'gets high'] }],
]) {
  test(`reasoning effort is approximated as far as a template supports it: templates that ${name}`, () =>
    scripted(
      ['Yes.'],
      async (client, model, kind) => {
        const told = []
        const asks = kind === 'direct' ? openai(model, { onWarning: ({ message }) => told.push(message) }) : client
        for (const [reasoning_effort, [shown, problem]] of Object.entries(expected)) {
          told.length = 0
          assert.equal((await asks.chat.completions.create(asked({ reasoning_effort }))).choices[0].message.content, 'Yes.')
          assert.ok((await lastPrompt(model)).endsWith(`${prompt}${shown}<|turn0|>`), reasoning_effort)
          if (kind === 'direct') assert.match(told.join(), problem ? new RegExp(`^reasoning_effort: .*${problem}`) : /^$/)
        }
      },
      { template },
    ))
}

test('the conversations that clients keep are read', () => {
  const template = `{%- for message in messages %}{{ message.role }}:{{ message.name or '' }}:{{ message.content }}{{ message.reasoning_content }}|{% endfor %}<|im_start|><|turn0|>`
  return scripted(
    ['Fine.'],
    async (client, model) => {
      const call = { index: 0, id: 'a', type: 'function', function: { name: 'weather', arguments: '{}', parsed_arguments: {} } }
      const called = {
        role: 'assistant',
        content: null,
        refusal: null,
        annotations: [],
        audio: null,
        parsed: null,
        tool_calls: [call],
      }
      const result = { role: 'tool', tool_call_id: 'a', content: 'Rain.' }
      const refusal = [{ type: 'refusal', refusal: 'No.' }]
      for (const [said, expected] of [
        [[called, { ...result, name: 'weather' }], 'assistant:::|tool:weather:Rain.'],
        [[called, { ...result, name: 'other' }], 'assistant:::|tool:weather:Rain.'],
        [[{ ...result, name: 'weather' }], 'tool:weather:Rain.'],
        [[{ role: 'assistant', refusal: 'No.' }], 'assistant::No.'],
        [[{ role: 'assistant', content: '', refusal: 'No.' }], 'assistant::No.'],
        [[{ role: 'assistant', content: 'Yes.', refusal: 'No.' }], 'assistant::Yes.'],
        [[{ role: 'assistant', content: refusal, annotations: [{ type: 'url_citation', url_citation: {} }] }], 'assistant::No.'],
        [
          [
            {
              role: 'assistant',
              content: [{ ...called, type: 'text', text: 'Yes.', reasoning_content: 'Hm.', content: undefined }],
            },
          ],
          'assistant::Yes.',
        ],
        // Fields that other providers' servers return, or that clients add for their caches.
        [
          [
            {
              ...called,
              reasoning: 'Hm.',
              reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }],
              content: 'Yes.',
              tool_calls: [{ ...call, extra_content: { google: {} } }],
            },
          ],
          'assistant::Yes.Hm.',
        ],
        [[{ role: 'assistant', content: 'Yes.', reasoning: 'No.', reasoning_content: 'Hm.' }], 'assistant::Yes.Hm.'],
        [
          [
            {
              role: 'user',
              content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }],
              cache_control: { type: 'ephemeral' },
            },
          ],
          'user::Hi',
        ],
        [
          [
            {
              ...called,
              content: 'Yes.',
              id: 'msg_1',
              copilot_cache_control: { type: 'ephemeral' },
              cot_id: 'a',
              cot_summary: 'Hm.',
              thinking_blocks: [{ type: 'thinking', thinking: 'Hm.' }],
              provider_specific_fields: { refusal: null },
              tool_calls: [
                {
                  ...call,
                  provider_specific_fields: {},
                  function: { ...call.function, provider_specific_fields: { thought_signature: 'x' } },
                },
              ],
            },
          ],
          'assistant::Yes.',
        ],
        [
          [{ role: 'user', content: [{ type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } }], name: 'Ann' }],
          'user:Ann:Hi',
        ],
      ]) {
        const {
          choices: [{ message }],
        } = await client.chat.completions.create(asked({ messages: [user('?'), ...said] }))
        assert.equal(message.content, 'Fine.')
        assert.equal((await lastPrompt(model)).split('user::?|')[1].split('|<')[0], expected.replace('assistant:::', 'assistant::'))
      }
    },
    { template },
  )
})

test('a choice among tools omits the other tools', () =>
  scripted(['Yes.'], async (client, model) => {
    const clock = {
      type: 'function',
      function: { name: 'clock', parameters: { type: 'object', properties: {}, additionalProperties: false } },
    }
    const among = (mode, ...names) => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: names.map(name => ({ type: 'function', function: { name } })) },
    })
    const ask = tool_choice => client.chat.completions.create(asked({ tools: [weather, clock], tool_choice, max_tokens: 300 }))
    assert.equal((await ask(among('auto', 'clock'))).choices[0].message.content, 'Yes.')
    const shown = await lastPrompt(model)
    assert.deepEqual([shown.includes('clock'), shown.includes('weather')], [true, false])
    assert.equal((await ask(among('required', 'clock'))).choices[0].message.tool_calls[0].function.name, 'clock')
    for (const [choice, param] of [
      [among('auto', 'dice'), 'tool_choice'],
      [among('required'), 'tool_choice'],
      [among('perhaps', 'clock'), 'tool_choice.allowed_tools.mode'],
      [{ type: 'allowed_tools' }, 'tool_choice.allowed_tools.tools'],
    ])
      await assert.rejects(async () => ask(choice), { param })
  }))

test('any integer is a seed, and the same seed gives the same text', () =>
  scripted(['Yes.'], async (client, model) => {
    const seeds = [-1, -(2 ** 63), 2 ** 63, 2 ** 53, -7, 7]
    const given = []
    for (const seed of seeds) {
      for (let time = 0; time < 2; time++) await client.chat.completions.create(asked({ seed }))
      const [first, second] = await Promise.all(model.chats.slice(-2).map(async chat => (await chat).seed))
      assert.ok(first === second && Number.isSafeInteger(first) && first >= 0, `${seed}: ${first}`)
      given.push(first)
    }
    assert.deepEqual(given.slice(-2), [2 ** 53 - 7, 7])
    assert.equal(given[0], 2 ** 53 - 1)
    for (const seed of [0.5, '1', Number.NaN])
      await assert.rejects(async () => openai(model).chat.completions.create(asked({ seed })), { param: 'seed' })
  }))

test('a stream with a warning is a stream', () =>
  scripted(['Hello there.'], async client => {
    const chunks = await collect(await client.chat.completions.create(asked({ stream: true, verbosity: 'low' })))
    assert.equal(joined(chunks), 'Hello there.')
  }))
