// Tools together with a constraint: a reply is either calls in the family's own format, or a text that satisfies the constraint.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { ChatTemplate } from 'heed/chat'
import { inRoot } from '../../tools/paths.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { withModel } from './support.mjs'

let model
before(async () => {
  model = await loadModel(undefined, { threads: 2, parallel: 4 })
})
after(() => model.dispose())

const user = content => [{ role: 'user', content }]
const greedy = { temperature: 0, maxTokens: 300 }
const args = { river: 'Aare', days: 3 }
const json = JSON.stringify(args)
const tool = {
  name: 'river_level',
  parameters: {
    type: 'object',
    required: ['river', 'days'],
    additionalProperties: false,
    properties: { river: { type: 'string', enum: ['Aare', 'Reuss'] }, days: { type: 'integer', minimum: 1, maximum: 9 } },
  },
}
const jsonSchema = {
  type: 'object',
  required: ['answer'],
  additionalProperties: false,
  properties: { answer: { type: 'string', maxLength: 60 }, level: { enum: [1, 2] } },
}

/**
 * For each family: a text that identifies its template, a call as its models write it, reasoning if it has any, and the start of a
 * turn.
 */
const families = {
  hermes: { source: '<tool_call>', call: `<tool_call>\n{"name": "river_level", "arguments": ${json}}\n</tool_call>` },
  'qwen-xml': {
    source: '<tool_call><function=</think>',
    call: '<tool_call>\n<function=river_level>\n<parameter=river>\nAare\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>',
    thoughts: '<think>\nWhich one?\n</think>\n\n',
  },
  'llama3-json': { source: '<|python_tag|>', call: `{"name": "river_level", "parameters": ${json}}` },
  'mistral-json': { source: '[TOOL_CALLS]', call: `[TOOL_CALLS][{"name": "river_level", "arguments": ${json}}]` },
  'mistral-args': {
    source: '[TOOL_CALLS][ARGS][/THINK]',
    call: `[TOOL_CALLS]river_level[ARGS]${json}`,
    thoughts: '[THINK]Which one?[/THINK]',
  },
  'deepseek-r1': {
    source: '<｜tool▁sep｜>```json',
    call: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>river_level\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  'deepseek-v31': {
    source: '<｜tool▁sep｜></think>',
    start: '<think>',
    thoughts: 'Which one?</think>',
    call: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>river_level<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  harmony: {
    source: '<|channel|><|message|>',
    start: '<|start|>assistant',
    thoughts: '<|channel|>analysis<|message|>Which one?<|end|><|start|>assistant',
    call: `<|channel|>commentary to=functions.river_level <|constrain|>json<|message|>${json}`,
    answer: text => `<|channel|>final<|message|>${text}`,
  },
  lfm2: { source: '<|tool_list_start|>', call: '<|tool_call_start|>[river_level(river="Aare", days=3)]<|tool_call_end|>' },
  gemma4: { source: '<|tool_call>', call: '<|tool_call>call:river_level{river:<|"|>Aare<|"|>,days:3}<tool_call|>' },
  functiongemma: {
    source: '<start_function_call>',
    call: '<start_function_call>call:river_level{river:<escape>Aare<escape>,days:3}<end_function_call>',
  },
  'phi4-mini': {
    source: '<|tool_call|><|/tool_call|>',
    call: `<|tool_call|>[{"name": "river_level", "arguments": ${json}}]<|/tool_call|>`,
  },
  'command-r7b': {
    source: '<|START_ACTION|><|END_THINKING|>',
    thoughts: '<|START_THINKING|>Which one?<|END_THINKING|>',
    call: `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "river_level", "parameters": ${json}}]<|END_ACTION|>`,
  },
  minicpm5: {
    source: '<function name=',
    call: '<function name="river_level"><param name="river">Aare</param><param name="days">3</param></function>',
  },
  granite3: { source: '<|tool_call|>', call: `<|tool_call|>[{"name": "river_level", "arguments": ${json}}]` },
  glm: {
    source: '<tool_call><arg_key></think>',
    start: '<think>',
    thoughts: 'Which one?</think>\n',
    call: '<tool_call>river_level\n<arg_key>river</arg_key>\n<arg_value>Aare</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  },
  kimi: {
    source: '<|tool_calls_section_begin|><|tool_call_begin|><|tool_call_argument_begin|></think>',
    thoughts: '<think>Which one?</think>',
    call: `<|tool_calls_section_begin|><|tool_call_begin|>functions.river_level:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
  },
  json: { source: '', call: `{"name": "river_level", "arguments": ${json}}` },
}

/** A template that is taken for one of the family, and ends each prompt with the token of the model's next turn or, without turns, with no thoughts. */
const templateOf = ({ source, start = '' }, turn = true) =>
  `{% if false %}{% raw %}${source}{% endraw %}{% endif %}{% set said = namespace(turns=0) %}` +
  "{% for message in messages %}{{ message.content }}{% if message.role == 'assistant' %}{% set said.turns = said.turns + 1 %}{% endif %}{% endfor %}" +
  `{% if add_generation_prompt %}${start}${turn ? '<|turn{{ said.turns }}|>' : start === '<think>' ? '</think>' : ''}{% endif %}`

test('the table has every family', () => {
  const types = readFileSync(inRoot('bindings/js/chat/types.ts'), 'utf8')
  const known = /export type CallFamily =([^/]*)/.exec(types)[1].match(/(?<=')[\w-]+(?=')/g)
  assert.deepEqual(Object.keys(families).sort(), known.sort())
  for (const [family, about] of Object.entries(families)) assert.equal(new ChatTemplate(templateOf(about)).info.calls, family)
})

/** An answer that contains the opener of calls, in a text and in a key's value. */
const answerOf = ({ call }) => JSON.stringify({ answer: call.slice(0, 40), level: 2 })

/** Phi-4 mini's own template names no marker of calls. */
const unnamed = {
  source: '<|tool|><|/tool|>',
  call: `functools[{"name": "river_level", "arguments": ${json}}]`,
}

for (const [family, about] of Object.entries({ ...families, 'phi4-mini, no marker named': unnamed })) {
  const { call, thoughts = '', answer: final = text => text } = about
  const reasoning = thoughts && 'Which one?'

  test(`${family}: a call, its result, and an answer in the form, whole and as it is written`, () => {
    const answer = answerOf(about)
    const turns = [thoughts + call, thoughts + final(answer)]
    return withModel(scriptedModel(turns, { template: templateOf(about) }), { threads: 1 }, async scripted => {
      for (const toolChoice of ['auto', 'required', { name: 'river_level' }]) {
        for (const strict of [false, true]) {
          const asked = []
          const chat = scripted.chat(user('?'), {
            ...greedy,
            toolChoice,
            jsonSchema,
            tools: [
              {
                ...tool,
                strict,
                execute: given => {
                  asked.push(given)
                  return 'high'
                },
              },
            ],
          })
          const texts = [],
            seen = []
          for await (const { type, delta } of chat) if (type === 'text') texts.push(delta), seen.push(chat.parsed)
          const { parsed, steps, text, finishReason } = await chat
          assert.deepEqual(
            [asked, parsed, text, finishReason],
            [[args], JSON.parse(answer), answer, 'stop'],
            steps[0].generation.text,
          )
          assert.deepEqual(
            steps.map(step => [step.message.content, step.message.reasoning_content ?? '', step.toolCalls.length]),
            [
              ['', reasoning, 1],
              [answer, reasoning, 0],
            ],
          )
          assert.deepEqual([texts.join(''), seen.at(-1)], [answer, parsed])
          assert.deepEqual(chat.parsed, parsed)
        }
      }
    })
  })

  test(`${family}: without toolChoice, the model does as it likes, and with "none", it answers`, () => {
    const answer = answerOf(about)
    return withModel(scriptedModel([thoughts + final(answer)], { template: templateOf(about) }), { threads: 1 }, async scripted => {
      for (const more of [{}, { parallelToolCalls: false }, { toolChoice: 'none' }]) {
        const { parsed, toolCalls, steps } = await scripted.chat(user('?'), { ...greedy, jsonSchema, tools: [tool], ...more })
        assert.deepEqual([parsed, toolCalls], [JSON.parse(answer), []], steps[0].generation.text)
      }
      const {
        toolCalls: [called],
        parsed,
        finishReason,
      } = await scripted.chat(user('?'), { ...greedy, jsonSchema, tools: [tool], toolChoice: 'required' })
      if (finishReason !== 'length') assert.deepEqual([called.name, parsed], ['river_level', undefined])
    })
  })

  test(`${family}: whatever a model writes is one of the two`, async () => {
    const forms = [{ jsonSchema }, { choices: ['No river.', 'A <tool_call>.', 'I cannot say.'] }]
    const replies = await Promise.all(
      Array.from({ length: 8 }, async (_, seed) => {
        const form = forms[seed % 2]
        const result = await model.chat(user('Once'), {
          template: { jinja: templateOf(about, false) },
          tools: [{ ...tool, strict: true }],
          ...form,
          temperature: 1.5,
          topK: 0,
          topP: 1,
          minP: 0,
          seed,
          maxTokens: 250,
          think: false,
        })
        return { form, ...result }
      }),
    )
    let ended = 0
    for (const { form, text, parsed, toolCalls, finishReason, incomplete, steps } of replies) {
      const written = JSON.stringify(steps[0].generation.text)
      if (finishReason === 'length') continue
      ended++
      assert.equal(incomplete, false, written)
      if (toolCalls.length > 0) {
        assert.deepEqual([text, finishReason, parsed], ['', 'tool-calls', undefined], written)
        for (const { name, arguments: given } of toolCalls)
          assert.ok(
            name === 'river_level' && ['Aare', 'Reuss'].includes(given.river) && given.days >= 1 && given.days <= 9,
            written,
          )
      } else if (form.choices) assert.ok(form.choices.includes(text), written)
      else assert.equal(typeof parsed.answer, 'string', written)
    }
    assert.ok(ended > 0)
  })
}

test('an answer under a constraint whose texts begin like calls is not parsed as a call', () =>
  withModel(
    scriptedModel(['{"name": "Aare", "arguments": {"days": 3}}'], { template: templateOf(families.json) }),
    { threads: 1 },
    async scripted => {
      const named = { type: 'object', properties: { name: { type: 'string' }, arguments: { type: 'object' } } }
      const { parsed, toolCalls } = await scripted.chat(user('?'), { ...greedy, jsonSchema: named, tools: [tool] })
      assert.deepEqual([parsed, toolCalls], [{ name: 'Aare', arguments: { days: 3 } }, []])
    },
  ))
