// Model output in each format, for cases that the reference lacks: events, whitespace, and text that only begins like a call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate } from 'heed/chat'
import { chatml, tools, user } from './support.mjs'

/** A minimal template for each format. */
const sources = {
  hermes: chatml,
  'qwen-xml': '<tool_call><function=',
  'llama3-json': '<|python_tag|>',
  'mistral-json': '[TOOL_CALLS]',
  'mistral-args': '[TOOL_CALLS][ARGS][/THINK]',
  'deepseek-r1': '<｜tool▁sep｜>```json',
  'deepseek-v31': '<｜tool▁sep｜>',
  harmony: '<|channel|><|message|>',
  lfm2: '<|tool_list_start|>',
  gemma4: '<|tool_call><channel|>',
  functiongemma: '<start_function_call>',
  'phi4-mini': '<|/tool_call|>',
  'command-r7b': '<|START_ACTION|><|END_THINKING|>',
  minicpm5: '<function name=',
  granite3: '<|tool_call|>',
  glm: '<tool_call><arg_key>',
  kimi: '<|tool_call_argument_begin|>',
  json: '{{ messages }}',
}
const template = family => new ChatTemplate(`{% raw %}${sources[family]}{% endraw %}`)
const args = { river: 'Aare "A"', days: 3, places: ['Bern', 'Thun'], exact: true }
const json = JSON.stringify(args)

/** The same call in each format. */
const written = {
  hermes: `<tool_call>\n{"name": "water_level", "arguments": ${json}}\n</tool_call>`,
  'qwen-xml':
    '<tool_call>\n<function=water_level>\n<parameter=river>\nAare "A"\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=places>\n["Bern", "Thun"]\n</parameter>\n<parameter=exact>\nTrue\n</parameter>\n</function>\n</tool_call>',
  'llama3-json': `<|python_tag|>{"name": "water_level", "parameters": ${json}}`,
  'mistral-json': `[TOOL_CALLS][{"name": "water_level", "arguments": ${json}, "id": "abcdefghi"}]`,
  'mistral-args': `[TOOL_CALLS]water_level[CALL_ID]abcdefghi[ARGS]${json}`,
  'deepseek-r1': `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>water_level\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  'deepseek-v31': `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>water_level<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  harmony: `<|start|>assistant<|channel|>commentary to=functions.water_level <|constrain|>json<|message|>${json}<|call|>`,
  lfm2: '<|tool_call_start|>[water_level(river=\'Aare "A"\', days=3, places=["Bern", "Thun"], exact=True)]<|tool_call_end|>',
  gemma4:
    '<|tool_call>call:water_level{river:<|"|>Aare "A"<|"|>,days:3,places:[<|"|>Bern<|"|>,<|"|>Thun<|"|>],exact:true}<tool_call|>',
  functiongemma:
    '<start_function_call>call:water_level{river:<escape>Aare "A"<escape>,days:3,places:[<escape>Bern<escape>,<escape>Thun<escape>],exact:true}<end_function_call>',
  'phi4-mini': `<|tool_call|>[{"name": "water_level", "arguments": ${json}}]<|/tool_call|>`,
  'command-r7b': `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "water_level", "parameters": ${json}}]<|END_ACTION|>`,
  minicpm5:
    '<function name="water_level"><param name="river">Aare "A"</param><param name="days">3</param><param name="places">["Bern", "Thun"]</param><param name="exact">true</param></function>',
  granite3: `<|tool_call|>[{"name": "water_level", "arguments": ${json}}]`,
  glm: '<tool_call>water_level\n<arg_key>river</arg_key>\n<arg_value>Aare "A"</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>places</arg_key>\n<arg_value>["Bern", "Thun"]</arg_value>\n<arg_key>exact</arg_key>\n<arg_value>true</arg_value>\n</tool_call>',
  kimi: `<|tool_calls_section_begin|><|tool_call_begin|>functions.water_level:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
}
const text = family => (family === 'harmony' ? '<|channel|>commentary<|message|>Let me see.<|end|>' : 'Let me see.\n')

for (const [family, call] of Object.entries(written)) {
  test(`${family}: a text and a call, split anywhere`, () => {
    assert.equal(template(family).info.calls, family)
    const output = text(family) + call
    const whole = template(family).parse(output, { tools })
    assert.equal(whole.content, 'Let me see.')
    assert.deepEqual(
      whole.toolCalls.map(({ name, arguments: read }) => [name, read]),
      [['water_level', args]],
    )
    assert.equal(whole.incomplete, false)
    assert.deepEqual(JSON.parse(whole.toolCalls[0].text), args)
    for (let at = 0; at <= output.length; at++) {
      const parser = template(family).parser({ tools })
      parser.push(output.slice(0, at))
      parser.push(output.slice(at))
      parser.end()
      assert.deepEqual(parser.result, whole, `cut at ${at}`)
    }
  })

  test(`${family}: a truncated call does not count`, () => {
    const output = text(family) + call
    const opened = text(family).length + 1
    const last = output.lastIndexOf('exact')
    for (let end = opened; end < last; end++) {
      const { toolCalls, content } = template(family).parse(output.slice(0, end), { tools })
      assert.deepEqual(toolCalls, [], output.slice(0, end))
      assert.ok(content.startsWith('Let me see.'))
    }
    assert.equal(template(family).parse(output.slice(0, last), { tools }).incomplete, true)
  })
}

test('keeps the ids that the model writes', () => {
  const ids = Object.entries(written).map(([family, call]) => [family, template(family).parse(call, { tools }).toolCalls[0].id])
  assert.deepEqual(Object.fromEntries(ids.filter(([, id]) => id !== undefined)), {
    'mistral-json': 'abcdefghi',
    'mistral-args': 'abcdefghi',
    'command-r7b': '0',
    kimi: 'functions.water_level:0',
  })
})

test('events arrive while the call is written', () => {
  const parser = new ChatTemplate(chatml).parser({ tools })
  assert.deepEqual(parser.push('Hm'), [{ type: 'text', delta: 'Hm' }])
  assert.deepEqual(parser.push('. <tool'), [{ type: 'text', delta: '.' }])
  assert.deepEqual(parser.push('_call>{"name": "now"'), [{ type: 'tool-call-start', index: 0, name: 'now' }])
  assert.deepEqual(parser.push(', "arguments": {"a'), [{ type: 'tool-call-delta', index: 0, delta: '{"a' }])
  assert.deepEqual(parser.push('": 1}'), [{ type: 'tool-call-delta', index: 0, delta: '": 1}' }])
  const call = { name: 'now', arguments: { a: 1 }, text: '{"a": 1}' }
  assert.deepEqual(parser.push('}</tool_call>'), [{ type: 'tool-call', index: 0, call }])
  assert.deepEqual(parser.end(), [])
  assert.throws(() => parser.push('more'), { code: 'invalid-argument' })
  assert.deepEqual(parser.result, { content: 'Hm.', reasoning: '', toolCalls: [call], incomplete: false })
})

test('keeps whitespace, except next to markup', () => {
  const parse = output => new ChatTemplate(chatml).parse(output)
  assert.equal(parse(' Hello \n').content, ' Hello \n')
  const { content, reasoning } = parse('\n<think>\n a \n</think>\n\n b \n')
  assert.deepEqual([content, reasoning], ['b \n', 'a'])
})

test('whitespace is held until text follows, however long it is', () => {
  const parser = new ChatTemplate(chatml).parser()
  const pieces = 20_000
  for (let piece = 0; piece < pieces; piece++) assert.deepEqual(parser.push(' \n'), [])
  assert.deepEqual(parser.push('x'), [{ type: 'text', delta: `${' \n'.repeat(pieces)}x` }])
})

test('text that only begins like a call stays text, and invalid arguments are an error', () => {
  const parse = output => new ChatTemplate(chatml).parse(output, { tools })
  assert.equal(parse('The tag <tool_call> is written so.').content, 'The tag <tool_call> is written so.')
  const {
    toolCalls: [call],
  } = parse('<tool_call>{"name": "now", "arguments": {"a": nothing}}</tool_call>')
  assert.equal(call.arguments, undefined)
  assert.match(call.error, /now/)
  assert.deepEqual(parse('<tool_call>{"name": "now", "arguments": "{\\"a\\": 1}"}</tool_call>').toolCalls[0].arguments, { a: 1 })
})

test('reasoning may be opened or closed by the prompt, and may be unfinished', () => {
  const thinking = new ChatTemplate(chatml)
  const parse = (output, generationPrompt) => {
    const { content, reasoning } = thinking.parse(output, { generationPrompt })
    return [content, reasoning]
  }
  assert.deepEqual(parse('a</think>b', '<think>\n'), ['b', 'a'])
  assert.deepEqual(parse('a', '<think>\n'), ['', 'a'])
  assert.deepEqual(parse('a', '<think>\n\n</think>\n'), ['a', ''])
  assert.deepEqual(parse('see <think>', ''), ['see <think>', ''])
  assert.equal(thinking.generationPrompt([user('a')], { think: false }), '<|im_start|>assistant\n<think>\n\n</think>\n\n')
})

test('JSON is a call only if there is no other text and all names are those of tools', () => {
  const parse = output => template('json').parse(output, { tools })
  assert.equal(parse('[{"name": "now", "arguments": {}}]').toolCalls.length, 1)
  assert.equal(parse('{"type": "function", "parameters": {}, "name": "now"}').toolCalls.length, 1)
  for (const output of [
    '[{"name": "now", "arguments": {}}, {"name": "x", "arguments": {}}]',
    '{"name": "now"}',
    '{"name": "now", "arguments": {}} so',
    '[1, 2]',
    '{"a": 1}',
  ]) {
    assert.deepEqual(parse(output), { content: output, reasoning: '', toolCalls: [], incomplete: false })
  }
  const streamed = template('json').parser({ tools })
  assert.deepEqual(streamed.push('{"x'), [{ type: 'text', delta: '{"x' }])
  const cut = '{"name": "now", "arguments": {"a'
  assert.equal(parse(cut).incomplete, true)
  assert.deepEqual(template('json').parse(cut), { content: cut, reasoning: '', toolCalls: [], incomplete: false })
})

test('info has the capabilities of a template and the ends of a turn', () => {
  const { supports, stops, calls } = new ChatTemplate(chatml, { eosToken: '<|endoftext|>' }).info
  assert.equal(calls, 'hermes')
  assert.deepEqual(stops, ['<|im_end|>', '<|endoftext|>'])
  assert.deepEqual(supports, {
    system: true,
    tools: true,
    parallelCalls: true,
    toolResponses: true,
    reasoning: true,
    think: true,
    parts: false,
  })
  const least = new ChatTemplate(
    "{% for m in messages %}{% if m.role == 'user' %}[{{ m.content }}]{% elif m.role == 'assistant' %}{{ m.content }}{% else %}{{ raise_exception('No.') }}{% endif %}{% endfor %}",
  )
  assert.deepEqual(least.info.supports, {
    system: false,
    tools: false,
    parallelCalls: false,
    toolResponses: false,
    reasoning: false,
    think: false,
    parts: false,
  })
})

// No time is asserted, but with quadratic work each of these would take many minutes.
for (const [family, call] of Object.entries(written)) {
  test(`${family}: a long reply in small parts takes time in proportion to its length`, () => {
    const parser = template(family).parser({ tools })
    const long = 'The water is high. '
    if (family === 'harmony') parser.push('<|channel|>final<|message|>')
    for (let i = 0; i < 60_000; i++) parser.push(long)
    if (family === 'harmony') parser.push('<|end|>')
    const place = call.lastIndexOf('Aare')
    parser.push(call.slice(0, place))
    for (let i = 0; i < 60_000; i++) parser.push('Aare ')
    parser.push(call.slice(place))
    parser.end()
    const { content, toolCalls } = parser.result
    assert.equal(content.length, long.length * 60_000 - 1)
    assert.equal(toolCalls.length, 1)
    assert.ok(toolCalls[0].arguments.river.length > 5 * 60_000)
  })

  test(`${family}: many calls in one part take time in proportion to their length`, () => {
    const { toolCalls } = template(family).parse(`${text(family)}${`${call}\n`.repeat(3_000)}`, { tools })
    assert.ok(toolCalls.length >= (family === 'llama3-json' || family === 'json' ? 1 : 3_000), `${toolCalls.length} calls`)
  })
}
