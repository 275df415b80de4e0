// Tool calls that are constrained to their format and to the tools' schemas while they are generated.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { needsShared, sharedJson, sharedTemplates } from '../chat/support.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { rejectsWith, withModel } from './support.mjs'

let model
before(async () => {
  model = await loadModel(undefined, { threads: 2, parallel: 4 })
})
after(() => model.dispose())

const user = content => [{ role: 'user', content }]
const greedy = { temperature: 0, maxTokens: 400 }
const wild = { temperature: 1.5, topK: 0, topP: 1, minP: 0 }

const tools = [
  {
    name: 'river_level',
    parameters: {
      type: 'object',
      required: ['river', 'days'],
      additionalProperties: false,
      properties: {
        river: { type: 'string' },
        days: { type: 'integer', minimum: 1, maximum: 9 },
        unit: { enum: ['cm', 'ft'] },
        exact: { type: 'boolean' },
      },
    },
  },
  {
    name: 'river',
    parameters: {
      type: 'object',
      additionalProperties: false,
      $defs: {
        place: {
          enum: [
            ['Bern', 1],
            ['Rome', 2],
          ],
        },
      },
      properties: { to: { $ref: '#/$defs/place' }, from: { $ref: '#/$defs/place' } },
    },
  },
  { name: 'now' },
]

function assertCall({ name, arguments: given, error }) {
  assert.equal(error, undefined)
  if (name === 'now') return assert.deepEqual(given, {})
  if (name === 'river') {
    for (const [key, place] of Object.entries(given))
      assert.ok(
        ['to', 'from'].includes(key) && ['["Bern",1]', '["Rome",2]'].includes(JSON.stringify(place)),
        `${key}: ${JSON.stringify(place)}`,
      )
    return
  }
  const { river, days, unit = 'cm', exact = true, ...rest } = given
  assert.equal(name, 'river_level')
  assert.deepEqual(rest, {})
  assert.ok(
    typeof river === 'string' &&
      Number.isInteger(days) &&
      days >= 1 &&
      days <= 9 &&
      ['cm', 'ft'].includes(unit) &&
      typeof exact === 'boolean',
    JSON.stringify(given),
  )
}

/**
 * A template that is recognized as `source`, which it contains, but writes only the last message and the start of the model's turn.
 */
const asIf = (source, start) =>
  `{% if false %}{% raw %}${source}{% endraw %}{% endif %}{{ messages[-1].content }}{% if add_generation_prompt %}${start}{% endif %}`
/** Templates of all formats of calls. */
const familyTemplates = () => {
  const cases = sharedJson('calls.json').cases
  const known = sharedTemplates()
    .filter(({ name }) => cases.some(({ template }) => template === name))
    .map(({ name, source }) => [name, source, cases.find(({ template }) => template === name).generationPrompt])
  return [
    ...known,
    ['kimi', '<think></think><|tool_calls_section_begin|><|tool_call_begin|><|tool_call_argument_begin|>', '<think></think>'],
    ['glm', '<tool_call><arg_key></think>', '<think></think>'],
  ]
}

test('required calls are valid, in the format of every family', needsShared, async () => {
  let ended = 0
  for (const [name, source, start] of familyTemplates()) {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, seed) =>
        model.chat(user('Once'), {
          template: { jinja: asIf(source, start) },
          tools,
          toolChoice: 'required',
          ...wild,
          seed,
          maxTokens: 300,
          think: false,
        }),
      ),
    )
    for (const { toolCalls, text, finishReason, incomplete, steps } of results) {
      const written = JSON.stringify(steps[0].generation.text)
      for (const call of toolCalls) assertCall(call)
      if (finishReason === 'length') continue
      ended++
      assert.equal(finishReason, 'tool-calls', `${name}: ${written}`)
      assert.deepEqual([text.trim(), incomplete, toolCalls.length > 0], ['', false, true], `${name}: ${written}`)
    }
  }
  assert.ok(ended > 60, `${ended} ended`)
})

test('real calls of every family can be written', needsShared, async t => {
  const { cases, tools } = sharedJson('calls.json')
  const templates = new Map(sharedTemplates().map(template => [template.name, template.source]))
  const plain = calls => calls.map(({ name, arguments: args }) => ({ name, arguments: args }))
  for (const { id, kind, template, generationPrompt, output, expect } of cases) {
    if (!['one', 'parallel', 'types', 'no_args', 'reason_call'].includes(kind)) continue
    if (id === 'd-harmony-03-parallel') continue // <|call|> ends the reply
    const source = asIf(templates.get(template), `${generationPrompt}<|turn0|>`)
    await t.test(id, () =>
      withModel(
        scriptedModel([output.replace(/<\|(call|return)\|>$/, '')], { template: source }),
        { threads: 1 },
        async scripted => {
          const held = tools.map(tool => ({ ...tool, function: { ...tool.function, strict: true } }))
          const ways = {
            required: held,
            auto: held,
            'auto, beside a strict tool': [...tools, { name: 'never_called', strict: true }],
          }
          for (const [way, offered] of Object.entries(ways)) {
            const { toolCalls, steps } = await scripted.chat(user('?'), {
              ...greedy,
              tools: offered,
              toolChoice: way === 'required' ? way : 'auto',
            })
            assert.deepEqual(plain(toolCalls), plain(expect.toolCalls), `${way}: ${steps[0].generation.text}`)
          }
        },
      ),
    )
  }
})

const reply = (scripted, options) => scripted.chat(user('?'), { ...greedy, tools, ...options })

test('calls are free where no tool is strict, and their arguments where theirs is not', async () => {
  const script = 'I ask.\n<tool_call>\n{"name": "river_level", "arguments": {"river": 5}}\n</tool_call>'
  await withModel(scriptedModel([script]), { threads: 1 }, async scripted => {
    assert.equal((await reply(scripted)).steps[0].generation.text, script)
    assert.equal((await reply(scripted, { tools: [tools[0], { ...tools[2], strict: true }] })).steps[0].generation.text, script)
    const held = await reply(scripted, { tools: tools.map(tool => ({ ...tool, strict: true })) })
    assert.match(held.steps[0].generation.text, /^I ask\.\n<tool_call>\n\{"name": "river_level", "arguments": \{"river"\s?:\s?"/)
    const text = 'No call, and <b>what</b> I like.'
    await withModel(scriptedModel([text]), { threads: 1 }, async other => {
      assert.equal((await reply(other, { tools: tools.map(tool => ({ ...tool, strict: true })) })).text, text)
    })
  })
})

test('a choice of tools holds the first reply, and those after the results are free', async () => {
  const turns = ['<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', 'It is noon.']
  await withModel(scriptedModel(turns), { threads: 1 }, async scripted => {
    const running = tools.map(tool => ({ ...tool, execute: () => 'noon' }))
    const { text, steps, finishReason } = await reply(scripted, { tools: running, toolChoice: 'required' })
    assert.deepEqual([text, steps.length, finishReason], [turns[1], 2, 'stop'])
    const {
      toolCalls: [call],
      finishReason: reason,
    } = await reply(scripted, { toolChoice: { name: 'river' }, maxTokens: 300 })
    if (reason !== 'length') assertCall(call)
    assert.match(
      (await reply(scripted, { toolChoice: { name: 'river' } })).steps[0].generation.text,
      /^<tool_call>\n\{"name":\s"river",/,
    )
  })
})

test('without parallel calls, a reply of any family has one call at most, and ends with it', needsShared, async t => {
  const { cases, tools } = sharedJson('calls.json')
  const templates = new Map(sharedTemplates().map(template => [template.name, template.source]))
  const ended = new Set()
  for (const { id, kind, template, generationPrompt, output, expect } of cases) {
    if (kind !== 'parallel' || id === 'd-harmony-03-parallel') continue // <|call|> ends the reply
    const source = asIf(templates.get(template), `${generationPrompt}<|turn0|>`)
    await t.test(id, () =>
      withModel(
        scriptedModel([output.replace(/<\|(call|return)\|>$/, '')], { template: source }),
        { threads: 1 },
        async scripted => {
          for (const toolChoice of ['required', 'auto']) {
            const { toolCalls, steps, finishReason } = await scripted.chat(user('?'), {
              ...greedy,
              tools,
              toolChoice,
              parallelToolCalls: false,
            })
            const [{ name, arguments: args }] = expect.toolCalls
            if (finishReason === 'length') continue // a token of the script has the end of the first call and more
            ended.add(template)
            assert.deepEqual(
              [toolCalls.map(call => [call.name, call.arguments]), finishReason],
              [[[name, args]], 'tool-calls'],
              `${toolChoice}: ${steps[0].generation.text}`,
            )
          }
        },
      ),
    )
  }
  assert.ok(ended.size > 10, `${ended.size}`)
  for (const [name, source, start] of familyTemplates()) {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, seed) =>
        model.chat(user('Once'), {
          template: { jinja: asIf(source, start) },
          tools,
          toolChoice: seed % 2 ? 'required' : 'auto',
          parallelToolCalls: false,
          ...wild,
          seed,
          maxTokens: 200,
          think: false,
        }),
      ),
    )
    for (const { toolCalls, steps } of results)
      assert.ok(toolCalls.length <= 1, `${name}: ${JSON.stringify(steps[0].generation.text)}`)
  }
})

test('without parallel calls, text comes before a call, alone, and around what looks like one', async () => {
  const call = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
  for (const [script, written, count] of [
    [`I ask.\n${call}\n${call}`, `I ask.\n${call}`, 1],
    [`${call}\nThat was it.`, call, 1],
    ['No <tool_ call>.', 'No <tool_ call>.', 0],
  ]) {
    await withModel(scriptedModel([script]), { threads: 1 }, async scripted => {
      const { toolCalls, steps } = await reply(scripted, { parallelToolCalls: false })
      assert.deepEqual([steps[0].generation.text, toolCalls.length], [written, count])
      assert.equal((await reply(scripted, { parallelToolCalls: false, tools: [] })).steps[0].generation.text, script) // there is nothing to call
      assert.throws(() => reply(scripted, { parallelToolCalls: 1 }), {
        code: 'invalid-argument',
        message: /parallelToolCalls: expected true or false/,
      })
    })
  }
})

test('markers that are control tokens are written as such, after reasoning between others', async () => {
  const controls = ['[THINK]', '[/THINK]', '[TOOL_CALLS]', '[ARGS]']
  const script = '[THINK]Which one?[/THINK][TOOL_CALLS]now[ARGS]{}'
  const template = asIf('[THINK][/THINK][TOOL_CALLS][ARGS]', '<|turn0|>')
  await withModel(scriptedModel([script], { template, controls }), { threads: 1 }, async scripted => {
    for (const options of [{ toolChoice: 'required' }, { tools: tools.map(tool => ({ ...tool, strict: true })) }]) {
      const {
        reasoning,
        toolCalls,
        steps: [
          {
            generation: { tokens },
          },
        ],
      } = await reply(scripted, options)
      assert.deepEqual([reasoning, toolCalls.map(({ name, arguments: given }) => [name, given])], ['Which one?', [['now', {}]]])
      for (const control of controls)
        assert.ok(
          tokens.some(({ text }) => text === control),
          control,
        )
    }
    const { parsed, reasoning } = await scripted.chat(user('?'), { ...greedy, jsonSchema: { enum: [1] } })
    assert.deepEqual([parsed, reasoning], [1, 'Which one?'])
  })
})

test('an answer in a form may have texts that look like calls', async () => {
  const script = '{"a": "<tool_call>{}</tool_call>"}'
  await withModel(scriptedModel([script]), { threads: 1 }, async scripted => {
    const { text, parsed, toolCalls } = await scripted.chat(user('?'), { ...greedy, jsonSchema: { type: 'object' } })
    assert.deepEqual([text, parsed, toolCalls], [script, JSON.parse(script), []])
  })
})

test('choices that nothing satisfies, and tools that cannot be held, are refused by name', async () => {
  await withModel(scriptedModel(['Hello.']), { threads: 1 }, async scripted => {
    assert.throws(() => reply(scripted, { toolChoice: 'sometimes' }), {
      code: 'invalid-argument',
      message: /toolChoice: expected 'auto' or 'none' or 'required'/,
    })
    assert.throws(() => reply(scripted, { toolChoice: {} }), { code: 'invalid-argument', message: /toolChoice: name: required/ })
    assert.throws(() => reply(scripted, { toolChoice: { name: 'moon' } }), {
      code: 'invalid-argument',
      message: /there is no tool "moon"/,
    })
    assert.throws(() => reply(scripted, { tools: [], toolChoice: 'required' }), {
      code: 'invalid-argument',
      message: /'required' needs tools/,
    })
    assert.throws(() => reply(scripted, { tools: [{ name: 'a', strict: 'yes' }] }), {
      code: 'invalid-argument',
      message: /tools\[0\]\.strict: expected true or false/,
    })
    const wrong = [{ name: 'clock', parameters: { type: 'object', properties: { zone: { type: 'string', pattern: '(a)\\1' } } } }]
    await rejectsWith('unsupported', /tool clock: .*pattern at #\/properties\/zone/, () =>
      reply(scripted, { tools: wrong, toolChoice: 'required' }),
    )
    await rejectsWith('unsupported', /tool clock: pattern of zone cannot be held/, () =>
      reply(scripted, {
        tools: wrong,
        toolChoice: 'required',
        template: { jinja: asIf('<function=', '<|turn0|>') },
      }),
    )
    assert.equal((await reply(scripted)).text, 'Hello.')
  })
})
