// The arguments of calls are passed on as the model wrote them, except where they are converted: the digits of numbers, the order
// of keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'

const sources = {
  hermes: '<tool_call>',
  'qwen-xml': '<tool_call><function=',
  'llama3-json': '<|python_tag|>',
  'mistral-args': '[TOOL_CALLS][ARGS]',
  'deepseek-v31': '<｜tool▁sep｜>',
  harmony: '<|channel|><|message|>',
  lfm2: '<|tool_list_start|><think></think>',
  gemma4: '<|tool_call><channel|>',
  kimi: '<|tool_call_argument_begin|></think>',
  json: 'x',
  glm: '<tool_call><arg_key></think>',
  minicpm5: '<function name=',
}
const template = family => new ChatTemplate(`{% raw %}${sources[family]}{% endraw %}`)
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
/** The parsed reply, which is the same however it is split. */
function parse(family, output, options) {
  const whole = template(family).parse(output, { tools, ...options })
  for (let at = 0; at <= output.length; at++) {
    const parser = template(family).parser({ tools, ...options })
    const events = [...parser.push(output.slice(0, at)), ...parser.push(output.slice(at)), ...parser.end()]
    assert.deepEqual(parser.result, whole, `cut at ${at}`)
    for (const [index, { text }] of whole.toolCalls.entries()) {
      assert.equal(
        events
          .filter(event => event.type === 'tool-call-delta' && event.index === index)
          .map(({ delta }) => delta)
          .join(''),
        text,
      )
    }
  }
  return whole
}

const inJson = {
  hermes: json => `<tool_call>{"name": "f", "arguments": ${json}}</tool_call>`,
  'llama3-json': json => `<|python_tag|>{"name": "f", "parameters": ${json}}`,
  'mistral-args': json => `[TOOL_CALLS]f[ARGS]${json}`,
  'deepseek-v31': json =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  harmony: json => `<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>${json}<|call|>`,
  kimi: json =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
  json: json => `{"name": "f", "arguments": ${json}}`,
}
const spelled =
  '{"2": 2512292042121000001, "1": 1.0, "c": -0, "d": 1e400, "e": 0.30000000000000000001, "f": "\\u00e9\\/", "g": 1, "g": 1.10}'

for (const [family, call] of Object.entries(inJson)) {
  test(`${family}: the text of the arguments is what was written`, () => {
    assert.deepEqual(
      parse(family, call(spelled)).toolCalls.map(({ name, text }) => [name, text]),
      [['f', spelled]],
    )
  })
  test(`${family}: arguments that are JSON in JSON, and none`, () => {
    assert.deepEqual(
      parse(family, call(JSON.stringify(spelled))).toolCalls.map(({ text }) => text),
      family === 'json' ? [] : [spelled],
    )
    if (family !== 'json')
      for (const none of ['{}', '""', 'null', '[]', '[ ]']) {
        assert.deepEqual(
          parse(family, call(none)).toolCalls,
          [{ ...parse(family, call('{}')).toolCalls[0], text: '{}', arguments: {} }],
          none,
        )
      }
  })
}

test('digits in notations of their own', () => {
  for (const [family, output] of Object.entries({
    'qwen-xml':
      '<tool_call><function=f><parameter=a>2512292042121000001</parameter><parameter=b>1.0</parameter></function></tool_call>',
    glm: '<tool_call>f<arg_key>a</arg_key><arg_value>2512292042121000001</arg_value><arg_key>b</arg_key><arg_value>1.0</arg_value></tool_call>',
    minicpm5: '<function name="f"><param name="a">2512292042121000001</param><param name="b">1.0</param></function>',
    lfm2: '<|tool_call_start|>[f(a=2512292042121000001, b=1.0)]<|tool_call_end|>',
    gemma4: '<|tool_call>call:f{a:2512292042121000001,b:1.0}<tool_call|>',
  }))
    assert.equal(parse(family, output).toolCalls[0].text.replaceAll(' ', ''), '{"a":2512292042121000001,"b":1.0}', family)
})

const literals = {
  7: '7',
  '+7': '7',
  '-7': '-7',
  '-0': '-0',
  '1.0': '1.0',
  '1.': '1.0',
  '.5': '0.5',
  '-.5': '-0.5',
  '1e5': '1e5',
  '1E+05': '1E+05',
  '1e400': '1e400',
  '1_000': '1000',
  '0x1F': '31',
  '0o17': '15',
  '-0b11': '-3',
  '00': '0',
  '007.5': '7.5',
  True: 'true',
  False: 'false',
  None: 'null',
  null: 'null',
  "'a'": '"a"',
  '"a\\n"': '"a\\n"',
  "r'a\\n'": '"a\\\\n"',
  "'''a\"b'''": '"a\\"b"',
  '- 7': '-7',
  '+ 7': '7',
  '0x_f': '15',
  '0b_1': '1',
  '{None: 1}': '{"null":1}',
  "'a' 'b'": '"ab"',
  "u'a'": '"a"',
  '[1, 2,]': '[1,2]',
  '(1, 2)': '[1,2]',
  '(1,)': '[1]',
  '(1)': '1',
  '()': '[]',
  '{}': '{}',
  "{'a': [1, {'b': None}]}": '{"a":[1,{"b":null}]}',
  "{1: 'x'}": '{"1":"x"}',
}
/** Texts that are not Python literals. */
const others = [
  'CET',
  'foo()',
  '--7',
  '007',
  '1 2',
  '1-2',
  '{1, 2}',
  "b'a'",
  "f'a'",
  'x.y',
  '1j',
  'inf',
  '5 days',
  "{'a'}",
  '{a: 1}',
  '',
  '+',
  "'a'.upper()",
  'lambda: 1',
  '1__0',
  '{(1, 2): 3}',
  '{[1]: 2}',
  "'\\N{BULLET}'",
  '- -7',
  '0x',
  '0x__f',
]
test('LFM2: only literals of Python', () => {
  const call = literal => parse('lfm2', `<|tool_call_start|>[f(x=${literal})]<|tool_call_end|>`)
  for (const [literal, json] of Object.entries(literals))
    assert.deepEqual(
      call(literal).toolCalls.map(({ text }) => text),
      [`{"x":${json}}`],
      literal,
    )
  for (const literal of others) {
    const { toolCalls, content } = call(literal)
    assert.deepEqual(
      toolCalls.map(({ arguments: given, error }) => [given, typeof error]),
      [[undefined, 'string']],
      literal,
    )
    assert.equal(content, '', literal)
  }
})
test('LFM2: unreadable text after a call is dropped, and a semicolon separates calls', () => {
  for (const [calls, expected] of [
    ['f(a=1)(b=2)', ['{"a":1}']],
    ['f(a=1); f()', ['{"a":1}', '{}']],
    ['f(a=1)]f(', ['{"a":1}']],
  ]) {
    const { toolCalls, content } = parse('lfm2', `<|tool_call_start|>[${calls}]<|tool_call_end|>Done.`)
    assert.deepEqual([toolCalls.map(({ text }) => text), content], [expected, 'Done.'], calls)
  }
  const { toolCalls, content } = parse(
    'lfm2',
    '<|tool_call_start|>[f(x=CET)]<|tool_call_end|>So.<|tool_call_start|>[f()]<|tool_call_end|>',
  )
  assert.deepEqual([toolCalls.length, content], [2, 'So.'])
})
test('Gemma: values that are neither quoted nor literals are an error', () => {
  for (const value of ['CET', '5 days', '--7']) {
    const {
      toolCalls: [{ arguments: given, error }],
      content,
    } = parse('gemma4', `<|tool_call>call:f{x:${value}}<tool_call|>`)
    assert.deepEqual([given, typeof error, content], [undefined, 'string', ''], value)
  }
})

test('a call that cannot be parsed is an error of the call, and its rest is not text', () => {
  for (const [family, output] of Object.entries({
    kimi: inJson.kimi('[x]'),
    'deepseek-v31': inJson['deepseek-v31']('nothing'),
    hermes: '<tool_call>{"name": "f", oops}</tool_call>Done.',
  })) {
    const { toolCalls, content } = parse(family, output)
    assert.deepEqual(
      toolCalls.map(({ arguments: given, error }) => [given, typeof error]),
      [[undefined, 'string']],
      family,
    )
    assert.equal(content, family === 'hermes' ? 'Done.' : '', family)
  }
})

const kimiCall = inJson.kimi('{}')
test('a call ends thoughts that are not closed', () => {
  const read = (family, output, generationPrompt) => {
    const { reasoning, content, toolCalls } = parse(family, output, { generationPrompt })
    return [reasoning, content, toolCalls.length]
  }
  for (const prompt of ['', '<think>']) {
    assert.deepEqual(read('kimi', `${prompt === '' ? '<think>' : ''}Hmm.${kimiCall}`, prompt), ['Hmm.', '', 1])
    assert.deepEqual(read('kimi', `${prompt === '' ? '<think>' : ''}Hmm.</think>Yes.${kimiCall}`, prompt), ['Hmm.', 'Yes.', 1])
  }
  assert.deepEqual(read('kimi', `<think>Hmm.${kimiCall.replace('<|tool_calls_section_begin|>', '')}`), ['Hmm.', '', 1])
  for (const family of ['hermes', 'lfm2', 'deepseek-v31']) {
    const call = family === 'lfm2' ? '<|tool_call_start|>[f()]<|tool_call_end|>' : inJson[family]('{}')
    assert.deepEqual(read(family, `<think>Hmm.\n${call}`), ['Hmm.', '', 1], family)
    assert.deepEqual(read(family, `<think>Not ${call} yet.</think>${call}`), [`Not ${call} yet.`, '', 1], family)
  }
  for (const next of ['<|start|>assistant<|channel|>', '<|channel|>']) {
    assert.deepEqual(
      read('harmony', `<|channel|>analysis<|message|>Hmm.${next}commentary to=functions.f <|constrain|>json<|message|>{}<|call|>`),
      ['Hmm.', '', 1],
      next,
    )
    assert.deepEqual(
      read('harmony', `<|channel|>analysis<|message|>Hmm.${next}final<|message|>Yes.<|return|>`),
      ['Hmm.', 'Yes.', 0],
      next,
    )
  }
  assert.deepEqual(read('hermes', '<think>The tag <tool_call> opens calls'), ['The tag <tool_call> opens calls', '', 0])
  assert.deepEqual(read('gemma4', '<|channel>thought\nHmm.<|tool_call>call:f{}<tool_call|>'), ['Hmm.', '', 1])
})

test('markers that are doubled or left over', () => {
  const read = (family, output, generationPrompt = '') => {
    const { reasoning, content } = parse(family, output, { generationPrompt })
    return [reasoning, content]
  }
  const thought = '<|channel>thought\n'
  for (const [output, prompt] of [
    [`${thought}Hm.<channel|>Yes.`],
    [`${thought}${thought}Hm.<channel|>Yes.`],
    [`${thought}Hm.<channel|><channel|>Yes.`],
    [`${thought}Hm.<channel|>Yes.<channel|>`],
    [`${thought}Hm.<channel|><|channel>Yes.`],
    [`${thought}Hm.<channel|>`.concat('Yes.'), thought],
    ['Hm.<channel|>Yes.', thought],
    [`${thought}<channel|>${thought}Hm.<channel|>Yes.`],
    [`${thought}Hm.<channel|>Yes.`, `${thought}<channel|>`],
  ])
    assert.deepEqual(read('gemma4', output, prompt), ['Hm.', 'Yes.'], output)
  assert.deepEqual(read('gemma4', `A.${thought}Hm.<channel|>B.`), ['Hm.', 'A.\n\nB.'])
  for (const [output, prompt] of [
    ['<think><think>Hm.</think>Yes.'],
    ['<think>Hm.</think>Yes.', '<think>\n'],
    ['<think>Hm.</think></think>Yes.'],
    ['</think>Yes.', '<think>Hm.</think>'.slice(7)],
  ]) {
    const [reasoning, content] = read('hermes', output, prompt)
    assert.equal(content, 'Yes.', output)
    assert.ok(['Hm.', ''].includes(reasoning), output)
  }
  assert.deepEqual(read('hermes', 'see <think>'), ['', 'see <think>'])
})

test('calls of earlier turns without arguments have none', () => {
  const sources = [
    '{% for m in messages %}{% for c in m.tool_calls %}{"arguments": {{ c.function.arguments | tojson }}}{% endfor %}{% endfor %}',
    '{% for m in messages %}{% for c in m.tool_calls %}{{ "=" + c.function.arguments }}{% endfor %}{% endfor %}',
    '{% for m in messages %}{% for c in m.tool_calls %}{% for k, v in c.function.arguments.items() %}{{ k }}{% endfor %}.{% endfor %}{% endfor %}',
    '{% for m in messages %}{% for c in m.tool_calls %}{% for k in c.function.arguments %}{{ k }}{% endfor %}{{ c.function.arguments is mapping }}{% endfor %}{% endfor %}',
  ]
  const expected = ['{"arguments": {}}', '={}', '.', 'True']
  for (const given of ['', ' \n', null, undefined, 'null', '""', '[]', ' [ ]\n', []]) {
    const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: given } }] }
    assert.deepEqual(
      sources.map(source => promptText(new ChatTemplate(source).render([message]))),
      expected,
      String(given),
    )
  }
})

test('a fence around nothing, and a brace too many', () => {
  const fenced = new ChatTemplate('{% raw %}<｜tool▁calls▁begin｜><｜tool▁sep｜>```json{% endraw %}')
  const deepseek = json =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`
  for (const json of ['', '{}', 'null', '[]'])
    assert.deepEqual(
      fenced.parse(deepseek(json), { tools }).toolCalls.map(({ text }) => text),
      ['{}'],
      json,
    )
  for (const more of ['}', ']', '}\n}', ' }]']) {
    const { toolCalls, content } = parse('hermes', `<tool_call>\n{"name": "f", "arguments": {"a": 1}}${more}\n</tool_call>Done.`)
    assert.deepEqual([toolCalls.map(({ text }) => text), content], [['{"a": 1}'], 'Done.'], more)
  }
  assert.equal(parse('hermes', '<tool_call>{"name": "f", "arguments": {}}} and more').content, '} and more')
})

test('arguments that are JSON keep their digits, their text and their order in prompts', () => {
  const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: spelled } }] }
  const render = body =>
    promptText(
      new ChatTemplate(`{% for m in messages %}{% for c in m.tool_calls %}${body}{% endfor %}{% endfor %}`).render([message]),
    )
  assert.equal(render('{{ "=" + c.function.arguments }}'), `=${spelled}`)
  assert.equal(
    render('{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }};{% endfor %}'),
    '2=2512292042121000001;1=1.0;c=0;d=1e400;e=0.30000000000000000001;f=é/;g=1.1;',
  )
})
