// Templates with ways of their own to get tools, calls and reasoning, as published models have them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'
import { tools, user } from './support.mjs'

const turns = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`
/** Names no marker of calls, and prints only the text of a turn: LFM2.5. */
const plain = `{% if tools %}<|im_start|>system
List of tools: [{{ tools | map('tojson') | join(', ') }}]<|im_end|>
{% endif %}${turns}`
/** Reads `xml_tools` and ignores `tools`: SmolLM3. */
const xml = `{% if xml_tools or python_tools %}<|im_start|>system
<tools>
{% for tool in xml_tools or [] %}{{ tool }}
{% endfor %}</tools> <tool_call></tool_call>{{ python_tools }}<|im_end|>
{% endif %}${turns}`
/** Reads the tools of a system message: Phi-4 mini. */
const inSystem =
  "{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] }}{% if 'tools' in message and message['tools'] is not none %}{{ '<|tool|>' + message['tools'] + '<|/tool|>' }}{% endif %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"

const args = { river: 'Aare "A"', days: 3, places: ['Bern', 'Thun'], exact: true, until: null }
const called = (content, ...calls) => ({
  role: 'assistant',
  content,
  tool_calls: calls.map(([name, given]) => ({ type: 'function', function: { name, arguments: given } })),
})
const result = content => ({ role: 'tool', name: 'water_level', content })
const system = content => ({ role: 'system', content })
const prompt = (source, messages, options) => promptText(new ChatTemplate(source).render(messages, { tools, ...options }))
const parse = (source, output) => {
  const { content, toolCalls } = new ChatTemplate(source).parse(output, { tools })
  return [content, ...toolCalls.map(call => [call.name, call.arguments])]
}

test('each is known by its template, and supports tools', () => {
  for (const [source, family] of [
    [plain, 'lfm2'],
    [xml, 'hermes'],
    [inSystem, 'phi4-mini'],
  ]) {
    const { calls, supports } = new ChatTemplate(source).info
    assert.equal(calls, family)
    assert.deepEqual([supports.tools, supports.parallelCalls, supports.toolResponses], [true, true, true], family)
  }
})

test('calls are read as the models write them', () => {
  const expected = ['', ['water_level', args], ['now', {}]]
  const list = `[{"name": "water_level", "arguments": ${JSON.stringify(args)}}, {"name": "now", "arguments": {}}]`
  const python = 'water_level(river="Aare \\"A\\"", days=3, places=["Bern", \'Thun\'], exact=True, until=None), now()'
  assert.deepEqual(parse(plain, `<|tool_call_start|>[${python}]<|tool_call_end|>`), expected)
  assert.deepEqual(parse(inSystem, `functools${list}`), expected)
  assert.deepEqual(parse(inSystem, `<|tool_call|>${list}<|/tool_call|>`), expected)
  assert.deepEqual(parse(inSystem, 'I use functools.partial, and functools [sic].'), [
    'I use functools.partial, and functools [sic].',
  ])
})

test('calls that a template leaves out are part of the text, as the model wrote them', () => {
  const messages = [user('Q'), called('', ['water_level', args], ['now', {}]), result('3 m')]
  const json = '{"river": "Aare \\"A\\"", "days": 3, "places": ["Bern", "Thun"], "exact": true, "until": null}'
  const python = 'water_level(river="Aare \\"A\\"", days=3, places=[\'Bern\', \'Thun\'], exact=True, until=None), now()'
  const turn = text => `<|im_start|>assistant\n${text}<|im_end|>\n<|im_start|>tool\n3 m<|im_end|>\n<|im_start|>assistant\n`
  const ends = (source, text) => assert.equal(prompt(source, messages).slice(-text.length), text)
  ends(plain, turn(`<|tool_call_start|>[${python}]<|tool_call_end|>`))
  const now = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
  ends(xml, turn(`<tool_call>\n{"name": "water_level", "arguments": ${json}}\n</tool_call>\n${now}`))
  const list = `{"name": "water_level", "arguments": ${json}}, {"name": "now", "arguments": {}}`
  ends(inSystem, `<|assistant|>functools[${list}]<|end|><|tool|>3 m<|end|><|assistant|>`)

  const spoken = prompt(plain, [user('Q'), called('Let me see.', ['now', '{}'])])
  assert.match(spoken, /assistant\nLet me see\.\n<\|tool_call_start\|>\[now\(\)\]<\|tool_call_end\|><\|im_end\|>/)
  assert.equal(parse(plain, spoken.split('assistant\n')[1].split('<|im_end|>')[0])[1][0], 'now')
  assert.match(prompt(plain, [user('Q'), called('Hm.', ['now', 'no JSON'])]), /assistant\nHm\.<\|im_end\|>/)
})

test('a template that prints calls prints them once', () => {
  const source = plain.replace('{{ m.content }}', '{{ m.content }}{% for c in m.tool_calls %}={{ c.function.name }}{% endfor %}')
  assert.match(prompt(source, [user('Q'), called('', ['now', {}])]), /assistant\n=now<\|im_end\|>/)
})

test('names and arguments never become control tokens, the marks around them do', () => {
  const parts = new ChatTemplate(plain).render([user('Q'), called('', ['now<|im_end|>', { a: '<|tool_call_end|>' }])])
  const marks = parts.filter(part => part.control?.includes('<|tool_call_')).map(part => part.control)
  assert.equal(marks.length, 2)
  assert.ok(marks[0].endsWith('<|tool_call_start|>[') && marks[1].startsWith(')]<|tool_call_end|><|im_end|>'), marks.join())
  assert.ok(parts.some(part => typeof part === 'string' && part.includes('<|im_end|>')))
})

test('tools are xml_tools, unless the caller says otherwise', () => {
  const [{ function: level }] = tools
  assert.match(prompt(xml, [user('Q')]), /<tools>\n\{'name': 'water_level', 'description': /)
  assert.match(prompt(xml, [user('Q')], { tools: [level] }), /<tools>\n\{'name': 'water_level', 'description': /)
  assert.match(prompt(xml, [user('Q')], { xml_tools: ['mine'] }), /<tools>\nmine\n<\/tools>/)
  assert.match(prompt(xml, [user('Q')], { python_tools: 'mine' }), /<tools>\n<\/tools> <tool_call><\/tool_call>mine/)
  assert.doesNotMatch(prompt(xml, [user('Q')], { tools: undefined }), /tools/)
  assert.doesNotMatch(prompt(xml, [user('Q')], { adapt: false }), /tools/)
})

test('tools are JSON in the system message, which there is for them', () => {
  const list = '<|tool|>[{"name": "water_level", "description": '
  assert.ok(prompt(inSystem, [system('S'), user('Q')]).startsWith(`<|system|>S${list}`))
  assert.ok(prompt(inSystem, [user('Q')]).startsWith(`<|system|>You are a helpful assistant with some tools.${list}`))
  const text = prompt(inSystem, [user('Q')])
  const written = JSON.parse(text.slice(text.indexOf('<|tool|>') + 8, text.indexOf('<|/tool|>')))
  assert.deepEqual(
    written,
    tools.map(tool => tool.function),
  )
  assert.equal(prompt(inSystem, [user('Q')], { tools: undefined }), '<|user|>Q<|end|><|assistant|>')
})

test('reasoning is `thinking` where a template calls it so', () => {
  const source =
    "{% for message in messages %}{% if message.thinking and message.tool_calls and message.content %}{{ raise_exception('Both.') }}{% endif %}[{{ message.thinking }}]{{ message.content }}{% endfor %}"
  const thought = { role: 'assistant', content: 'A', reasoning_content: 'R' }
  const render = (message, of = source) => prompt(of, [message], { addGenerationPrompt: false, tools: undefined })
  assert.equal(render(thought), '[R]A')
  assert.equal(render({ ...thought, thinking: 'T' }), '[T]A')
  assert.equal(render({ ...called('', ['now', {}]), reasoning_content: 'R' }), '[R]')
  assert.equal(render({ ...called('A', ['now', {}]), reasoning_content: 'R' }), '[]A')
  assert.equal(render(thought, `${source}{# reasoning_content #}`), '[]A')
})
