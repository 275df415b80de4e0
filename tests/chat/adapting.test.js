// Adapting messages that a template does not accept as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'
import { chatml, tools, user } from './support.mjs'

const render = (source, messages, options) =>
  promptText(new ChatTemplate(source).render(messages, { addGenerationPrompt: false, ...options }))
const plain = '{% for m in messages %}<{{ m.role }}>{{ m.content + "" }}{% endfor %}'
const strict = `{% if messages[0].role == 'system' %}{{ raise_exception('No system.') }}{% endif %}${plain}`
const system = content => ({ role: 'system', content })
const calling = args => ({ role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: args } }] })
const ofCalls = body => `{% for m in messages %}{% for c in m.tool_calls %}${body}{% endfor %}{% endfor %}`

test('developer messages become system messages for templates that do not know them', () => {
  assert.equal(render(plain, [{ role: 'developer', content: 'D' }]), '<system>D')
  assert.equal(render(`{# developer #}${plain}`, [{ role: 'developer', content: 'D' }]), '<developer>D')
})

test('a rejected system message is put before the first user message', () => {
  assert.equal(render(strict, [system('S'), user('U'), user('V')]), '<user>S\n\nU<user>V')
  assert.equal(render(strict, [system('  '), user('U')]), '<user>U')
  assert.throws(() => render(strict, [system('S')]), { kind: 'raise_exception', message: 'No system.' })
})

test('parts become a string for templates that expect one', () => {
  const parts = [
    { type: 'text', text: 'a ' },
    { type: 'text', text: 'b' },
  ]
  assert.equal(render(plain, [user(parts)]), '<user>a b')
  assert.equal(render('{{ messages[0].content }}', [user(parts)]), 'a b')
  assert.equal(render('{{ messages[0].content | tojson }}', [user(parts)]), '"a b"')
  assert.equal(render('{% for p in messages[0].content %}{{ p.text }};{% endfor %}', [user(parts)]), 'a ;b;')
})

test('texts become parts for templates that expect only these', () => {
  const listed =
    "{% for m in messages %}<{{ m.role }}>{% for p in m['content'] %}{% if p['type'] == 'text' %}{{ p['text'] }}{% endif %}{% endfor %}{% endfor %}"
  const filtered =
    "{% for m in messages %}<{{ m.role }}>{% for p in m.content | selectattr('type', 'equalto', 'text') %}{{ p.text }}{% endfor %}{% endfor %}"
  const answer = { role: 'assistant', content: 'A' }
  for (const source of [listed, filtered]) {
    assert.equal(render(source, [system('S'), user('Q'), answer, user('R')]), '<system>S<user>Q<assistant>A<user>R')
    assert.equal(render(source, [user('Q'), answer, user([{ type: 'text', text: 'P' }])]), '<user>Q<assistant>A<user>P')
    assert.equal(render(source, [user('Q')], { adapt: false }), '<user>')
    assert.deepEqual(new ChatTemplate(`${source}<t>`).render([user('<t>')], { addGenerationPrompt: false }), [
      { control: '<user>' },
      '<t>',
      { control: '<t>' },
    ])
  }
  const first = `{% if messages[1].content[0]['type'] == 'image' %}i{% endif %}${listed}` // as SmolVLM's asks
  assert.equal(render(first, [user('Q'), { role: 'assistant', content: '' }, user('R')]), '<user>Q<assistant><user>R')
  // Whoever leaves out a text on purpose does so in either form.
  const last =
    "{% if messages[-1].content is string %}{{ messages[-1].content }}{% else %}{{ messages[-1].content[0]['text'] }}!{% endif %}"
  assert.equal(render(last, [user('Q'), user('R')]), 'R')
  const thoughtless =
    "{% for m in messages %}{% if m.content is string %}{{ m.content.split('</think>')[-1] }}{% else %}{{ m.content[0].text }}{% endif %}{% endfor %}"
  assert.equal(render(thoughtless, [{ role: 'assistant', content: '<think>T</think>A' }, user('Q')]), 'AQ')
})

test('null contents become empty if the template would print None or fail', () => {
  assert.equal(render(plain, [{ role: 'assistant', content: null }]), '<assistant>')
  assert.equal(render('[{{ messages[0].content }}]', [{ role: 'assistant', content: null }]), '[]')
  assert.equal(render('{{ messages[0].content is none }}', [{ role: 'assistant', content: null }]), 'True')
})

test('arguments are an object or its JSON, as the template needs', () => {
  const text = '{"a": 1.0}'
  assert.equal(render(ofCalls('{{ "=" + c.function.arguments }}'), [calling({ a: 1 })]), '={"a": 1}')
  assert.equal(render(ofCalls('{{ "=" + c.function.arguments }}'), [calling(text)]), `=${text}`)
  assert.equal(
    render(ofCalls('{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }}{% endfor %}'), [calling(text)]),
    'a=1.0',
  )
  assert.throws(() => render(ofCalls('{{ c.function.arguments.items() }}'), [calling('no JSON')]), { kind: 'UndefinedError' })
})

test('tools are None, or absent if that fails', () => {
  assert.equal(render('{{ tools is none }}', []), 'True')
  assert.equal(render('{% if tools is defined %}{{ tools | length }}{% endif %}none', []), 'none')
  assert.equal(render('{{ tools | length }}', [], { tools }), '2')
})

test("opens the model's turn if the template does not do so after a tool result", () => {
  const source = `{% for m in messages %}{% if m.role == 'tool' %}={{ m.content }}</t>\n{% else %}<t>{{ m.role }}\n{{ m.content }}{% if m.tool_calls is not defined %}</t>\n{% endif %}{% endif %}{% endfor %}
{%- if add_generation_prompt and messages[-1].role != 'tool' %}<t>model\n{% endif %}`
  const messages = [user('Q'), calling({}), { role: 'tool', content: 'R' }]
  const text = render(source, messages, { addGenerationPrompt: true })
  assert.equal(text, '<t>user\nQ</t>\n<t>assistant\n=R</t>\n<t>model\n')
  assert.ok(!render(source, messages, { addGenerationPrompt: true, adapt: false }).endsWith('model\n'))
})

test('adapt: false leaves messages as they are', () => {
  for (const messages of [[system('S'), user('U')], [user([{ type: 'text', text: 'a' }])]]) {
    assert.throws(() => render(strict, messages, { adapt: false }), { code: 'template' })
  }
  assert.equal(
    render('{{ messages[0].content }}', [user([{ type: 'text', text: 'a' }])], { adapt: false }),
    "[{'type': 'text', 'text': 'a'}]",
  )
})

test('think is true, false, or left to the template', () => {
  const source = '{{ "unset" if enable_thinking is not defined else enable_thinking }}'
  assert.deepEqual(
    [undefined, true, false].map(think => render(source, [], { think })),
    ['unset', 'True', 'False'],
  )
  assert.equal(render(source, [], { think: true, enable_thinking: false }), 'False')
})

test('continueFinal ends the prompt within an answer', () => {
  const messages = [user('Poem!'), { role: 'assistant', content: 'Softly it falls, ' }]
  const prompt = new ChatTemplate(chatml).render(messages, { continueFinal: true })
  assert.equal(promptText(prompt), '<|im_start|>user\nPoem!<|im_end|>\n<|im_start|>assistant\nSoftly it falls,')
  const spaced = chatml.replace('message.content | trim', 'message.content')
  assert.match(promptText(new ChatTemplate(spaced).render(messages, { continueFinal: true })), /Softly it falls, $/)
  // As in transformers: the white space stays if the template puts a space after what it trims, as Llama 2's does.
  const followed = chatml.replace('message.content | trim', "message.content | trim + ' '")
  for (const end of [' ', '\n', '  ']) {
    const open = [user('Poem!'), { role: 'assistant', content: `Softly it falls,${end}` }]
    assert.ok(promptText(new ChatTemplate(followed).render(open, { continueFinal: true })).endsWith(`Softly it falls,${end}`))
  }
  const twice = [
    user('Softly it falls,'),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Softly' },
        { type: 'text', text: ' it falls, ' },
      ],
    },
  ]
  assert.match(promptText(new ChatTemplate(spaced).render(twice, { continueFinal: true })), /assistant\nSoftly it falls, $/)
  const refuse = (given, options) => () => new ChatTemplate(chatml).render(given, { continueFinal: true, ...options })
  assert.throws(refuse([{ role: 'assistant', content: '' }]), { code: 'invalid-argument' })
  assert.throws(refuse(messages, { addGenerationPrompt: true }), { code: 'invalid-argument' })
})

test('invalid conversations and options are errors that name them', () => {
  const template = new ChatTemplate(chatml)
  const cyclic = user('a')
  cyclic.self = cyclic
  const trap = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('trap')
      },
    },
  )
  const wrong = [
    [undefined, /array of messages/],
    [[5], /message 0/],
    [[{}], /message 0: role/],
    [[user(() => 1)], /function/],
    [[user(new Map())], /Map/],
    [[cyclic], /deep/],
    [[trap], /read/],
  ]
  for (const [messages, message] of wrong) assert.throws(() => template.render(messages), { code: 'invalid-argument', message })
  for (const options of [{ now: 'yesterday' }, { think: 1 }, { tools: {} }, { continueFinal: 'yes' }]) {
    const [name] = Object.keys(options)
    assert.throws(() => template.render([user('a')], options), { code: 'invalid-argument', message: new RegExp(name) })
  }
  assert.throws(() => new ChatTemplate(chatml, { bos: '<s>' }), { code: 'invalid-argument', message: /"bos"/ })
  assert.throws(() => new ChatTemplate(5), { code: 'invalid-argument' })
  for (const given of [{}, [{}], [{ name: 'f' }]])
    assert.throws(() => template.parser({ tools: given }), { code: 'invalid-argument', message: /tools/ })
  assert.throws(() => template.parser({ tool: [] }), { code: 'invalid-argument', message: /"tool"/ })
})
