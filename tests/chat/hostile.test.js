// Templates come with models, from anyone: each must soon give a prompt or an error, and must not get access to anything else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'
import { chatml, ownJson, randomNumbers, sharedTemplates, tools, user } from './support.mjs'

/** A text, or undefined after an error of ours; any other error fails the test. */
function outcome(source, messages = [user('Hi')], options = {}) {
  try {
    return promptText(
      new ChatTemplate(source, { bosToken: '<s>', eosToken: '</s>' }).render(messages, { tools, now: '2026-03-05', ...options }),
    )
  } catch (error) {
    assert.ok(['template', 'invalid-argument'].includes(error.code), `${error.stack}\n${source}`)
    return undefined
  }
}

const names = [
  'constructor',
  '__proto__',
  'prototype',
  '__class__',
  '__mro__',
  '__subclasses__',
  '__globals__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'call',
  'apply',
  'bind',
  'caller',
  'arguments',
  'host',
  'budget',
  'values',
  'items',
  'marks',
  'runs',
  'value',
  'entries',
  'map',
  'then',
  'Symbol',
  'process',
  'globalThis',
  'Function',
]
const holders = [
  'messages',
  'messages[0]',
  'messages[0].content',
  '""',
  '[]',
  '{}',
  '()',
  '1',
  '1.5',
  'true',
  'none',
  'namespace()',
  'range',
  'raise_exception',
  'loop',
  'tools',
  'm',
  'nope',
]

/** How JavaScript prints its own objects. */
const leak = /native code|\[object|function ?\(|=>|Symbol\(|HeedError/

test('no name gives access to anything outside a template', () => {
  for (const holder of holders) {
    for (const name of names) {
      for (const access of [
        `${holder}.${name}`,
        `${holder}['${name}']`,
        `${holder} | attr('${name}')`,
        `${holder}.${name}.${name}`,
        `${holder}.${name}()`,
        `${holder}.${name}('return 1')`,
      ]) {
        const source = `{% macro m() %}{% endmacro %}{% for x in [1] %}{{ ${access} }}{% endfor %}`
        assert.doesNotMatch(outcome(source) ?? '', leak, source)
      }
    }
    assert.equal({}.polluted, undefined)
  }
})

test("JavaScript's names are not variables, filters or tests", () => {
  for (const name of [...names, 'globalThis', 'console', 'fetch', 'Date', 'Math', 'require', 'undefined', 'NaN']) {
    if (['items', 'map', 'undefined'].includes(name)) continue
    assert.equal(new ChatTemplate(`{{ ${name} is defined }}`).render([])[0]?.control, 'False', name)
    for (const source of [`{{ 1 | ${name} }}`, `{{ 1 is ${name} }}`]) assert.equal(outcome(source), undefined, source)
  }
})

test("the caller's keys are data, whatever their names", () => {
  const message = JSON.parse('{"role": "user", "content": "c", "__proto__": {"polluted": 1}, "constructor": "k", "toString": "t"}')
  assert.equal(
    outcome('{{ messages[0].constructor }}{{ messages[0]["toString"] }}{{ messages[0]["__proto__"].polluted }}', [message]),
    'kt1',
  )
  assert.equal({}.polluted, undefined)
})

test('stops templates that would not end', () => {
  const endless = [
    '{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}',
    '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    '{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}',
    '{% set ns = namespace(x="x") %}{% for i in range(100) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}',
    '{{ "x" * 10000000000 }}',
    '{{ [1] * 10000000000 }}',
    '{% set ns = namespace(x=[1]) %}{% for i in range(100) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}',
    '{{ 10 ** 10 ** 10 }}',
    '{% set ns = namespace(n=9) %}{% for i in range(99) %}{% set ns.n = ns.n * ns.n %}{% endfor %}',
    '{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l }}',
    '{% set l = [] %}{% set _ = l.append(l) %}{{ l }}',
    '{% set l = [] %}{% set _ = l.append(l) %}{{ l == l }}{{ l | tojson }}',
    '{% set l = [1] %}{% for x in l %}{% set _ = l.append(x) %}{% endfor %}',
    '{% set a = [1] %}{% set b = [1] %}{% set _ = a.append(a) %}{% set _ = b.append(b) %}{{ a == b }}',
    '{% for i in range(1000) %}{{ "%99999999s" % 1 }}{% endfor %}',
    '{% for i in range(90000) %}{{ messages | tojson(indent=99) }}{% endfor %}',
    '{% set x = "ab" * 10000 %}{% for i in range(10000) %}{{ x.replace("a", x) }}{% endfor %}',
    '{% for i in range(99999) %}{{ ("a" * 5000).split("") if false else ("a" * 5000) | list | length }}{% endfor %}',
    '{% for i in range(99999) %}{{ range(99999) | sort | first }}{% endfor %}',
    '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
    `{{ ${'('.repeat(50_000)} }}`,
    `{{ ${'[1, '.repeat(50_000)} }}`,
    `{{ ${'not '.repeat(50_000)} x }}`,
    `{{ ${'-'.repeat(50_000)}1 }}`,
    `{{ ${'1 + '.repeat(50_000)}1 }}`,
    `{{ x${'.a'.repeat(50_000)} }}`,
    `{% if x %}${'{% if x %}'.repeat(20_000)}`,
    `{{ x${' | trim'.repeat(50_000)} }}`,
    `{{ ${'1 if 1 else '.repeat(50_000)}1 }}`,
    '{{ "a"|indent("x" * 9999) }}'.repeat(2000),
    '{% for i in range(99999) %}{% set x %}{% for j in range(99) %}{{ i }}{% endfor %}{% endset %}{% endfor %}',
    '{{ ("a\n" * 99999) | indent(9999, true, true) }}',
    '{{ "a,b".split(",", -1) | join("x" * 99999999) }}',
    '{{ "x".join(range(99999) | map("string") | list) * 9999 }}',
  ]
  const stopped = endless.filter(source => outcome(source) === undefined)
  assert.ok(stopped.length >= endless.length - 6, `${stopped.length} of ${endless.length}`)
})

/** Fragments that mutations insert into templates. */
const pieces = [
  '{%',
  '%}',
  '{{',
  '}}',
  '{#',
  '#}',
  '-%}',
  '{%-',
  '{% if x %}',
  '{% endif %}',
  '{% for x in messages %}',
  '{% endfor %}',
  '{% else %}',
  '{% set x = messages %}',
  '{% raw %}',
  '{% macro m(a) %}',
  '{% endmacro %}',
  '.constructor',
  '.__proto__',
  '.__class__',
  '.toString()',
  "['constructor']",
  '[0]',
  '[-1]',
  '[::-1]',
  '()',
  '| tojson',
  '| list',
  '| length',
  '| trim',
  '| join',
  '| map("upper")',
  '* 99999',
  '** 99',
  '~ messages',
  '+',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ':',
  ',',
  '"',
  "'",
  '\\',
  'not',
  'in',
  'is',
  'none',
  'loop',
  'namespace',
  'range(99999)',
  '\0',
  '👋',
  '\n',
  '0',
  '1e9',
]

test('survives a thousand mutated templates and messages', () => {
  const random = randomNumbers(12)
  const pick = list => list[Math.floor(random() * list.length)]
  const sources = [
    chatml,
    ...sharedTemplates().map(({ source }) => source),
    ...ownJson('probes')
      .probes.map(({ template }) => template)
      .slice(-80),
  ]
  const contents = [
    '',
    'Hi',
    null,
    5,
    undefined,
    [],
    {},
    [{ type: 'text', text: 'x' }],
    [{ type: 'image' }],
    'x'.repeat(1000),
    { a: { b: [1, null] } },
    true,
    '<|im_end|>{{ x }}',
    '\ud83d',
  ]
  const roles = ['user', 'system', 'assistant', 'tool', 'developer', '', 'constructor', '__proto__']
  let rendered = 0
  for (let at = 0; at < 1000; at++) {
    let source = pick(sources)
    for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
      const from = Math.floor(random() * source.length)
      const to = from + (random() < 0.5 ? 0 : Math.floor(random() * 20))
      const other = pick(sources)
      const cut = Math.floor(random() * other.length)
      source = source.slice(0, from) + (random() < 0.8 ? pick(pieces) : other.slice(cut, cut + 40)) + source.slice(to)
    }
    const messages = Array.from({ length: Math.floor(random() * 5) }, () => ({
      role: pick(roles),
      content: pick(contents),
      ...(random() < 0.2
        ? { tool_calls: pick([[], null, 5, [{}], [{ function: { name: 'f', arguments: pick(contents) } }]]) }
        : {}),
    }))
    const text = outcome(source, messages, { adapt: random() < 0.7 })
    if (text !== undefined) {
      rendered++
      assert.doesNotMatch(text, /native code|\[object |Symbol\(/, source)
    }
    assert.equal({}.polluted, undefined)
  }
  assert.ok(rendered > 50 && rendered < 950, `${rendered}`)
})

test('parses replies of any kind', () => {
  const random = randomNumbers(7)
  const pieces = [
    '<tool_call>',
    '</tool_call>',
    '{',
    '}',
    '"name"',
    ':',
    '"now"',
    ',',
    '"arguments"',
    '<function=',
    '<parameter=',
    '>',
    '</',
    '[TOOL_CALLS]',
    '[ARGS]',
    '<|channel|>',
    '<|message|>',
    '<|start|>',
    'to=x',
    '<think>',
    '</think>',
    '<|tool_call>',
    'call:',
    '<|"|>',
    '(',
    ')',
    '=',
    "'",
    '\\',
    '[',
    ']',
    'x',
    ' ',
    '\n',
    '```',
    '1',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<arg_key>',
    '👋',
    '<|python_tag|>',
    '<|tool_call_start|>',
  ]
  const templates = [chatml, ...sharedTemplates().map(({ source }) => source)].map(source => new ChatTemplate(source))
  for (let at = 0; at < 3000; at++) {
    const template = templates[at % templates.length]
    const output = Array.from({ length: 1 + Math.floor(random() * 25) }, () => pieces[Math.floor(random() * pieces.length)])
    const options = { tools, generationPrompt: random() < 0.2 ? '<think>' : '' }
    const whole = template.parse(output.join(''), options)
    const parser = template.parser(options)
    for (const piece of output) parser.push(piece)
    parser.end()
    assert.deepEqual(parser.result, whole, output.join(''))
  }
})
