// The package's command in scripts: stdout, stderr and exit status.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { goldenBytes } from '../support/golden.mjs'
import { newerFamily } from '../support/newer_families.mjs'
import { serveModel } from '../support/model_server.mjs'
import { fails, file, folder, heed, heedOn, output, program, scripted, start, stories, version } from './support.mjs'

const chatModel = scripted('chat.gguf', ['First answer.', 'Second answer.'])
const bert = file('bert.gguf', goldenBytes('bert'))
const plain = file('plain.gguf', goldenBytes('llama-gqa')) // without a template
const conversation = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi <|im_end|>' },
]
const saved = file('conversation.json', JSON.stringify(conversation))
const commands = ['chat', 'run', 'embed', 'info', 'render']
const others = ['transcribe', 'serve', 'download', 'list', 'rm']

test('prints its version, and help with examples', () => {
  assert.equal(output('--version'), `heed ${version}\n`)
  assert.equal(output('help'), output('--help'))
  for (const name of [...commands, ...others]) {
    assert.match(output('--help'), new RegExp(`npx heed ${name} `))
    assert.match(
      output(name, '--help'),
      new RegExp(`^heed ${name}${commands.includes(name) ? ' \\[?MODEL' : ''}.*\n\n  npx heed ${name}`),
    )
    assert.equal(output('help', name), output(name, '--help'))
  }
  const { status, stdout, stderr } = heed()
  assert.deepEqual([status, stdout, stderr], [2, '', output('help')])
})

test('accepts every option that the help lists', () => {
  for (const name of [...commands, ...others]) {
    const named = new Set(output(name, '--help').match(/--[a-z-]+/g))
    for (const option of named) {
      const { stderr } = heed(name, option)
      assert.doesNotMatch(stderr, /Unknown option/, `${name} ${option}`)
    }
    assert.ok(named.size >= (others.includes(name) ? 0 : 3), name)
  }
})

test('with drafts, run writes the same text, and says what became of them', () => {
  const run = (...args) => heed('run', chatModel, '-p', 'a', '-n', '24', '--temperature', '0', '--ignore-end', ...args)
  const plain = run(),
    drafted = run('--draft', chatModel)
  assert.deepEqual([drafted.status, drafted.stdout], [0, plain.stdout])
  assert.match(drafted.stderr, /^drafts: \d+ tokens, \d+ right$/m)
  assert.doesNotMatch(plain.stderr, /drafts/)
  fails(1, /no heads for drafts in its file/, 'run', chatModel, '-p', 'a', '--draft', 'heads')
  fails(1, /none\.gguf/, 'run', chatModel, '-p', 'a', '--draft', 'none.gguf')
})

test('wrong usage: status 2 and one line on stderr', () => {
  fails(2, /unknown command 'chatt'/, 'chatt')
  fails(2, /unknown command 'x'/, 'help', 'x')
  fails(2, /no model: /, 'embed')
  for (const name of commands) {
    fails(2, /Unknown option '--temprature'; --help lists them/, name, chatModel, '--temprature', '1')
    fails(2, /unexpected argument 'more'/, name, chatModel, ...(name === 'render' ? [saved] : []), 'more')
  }
  fails(2, /--temperature: 'hot' is not a number/, 'run', chatModel, '-p', 'x', '--temperature', 'hot')
  fails(2, /--temperature/, 'run', chatModel, '-p', 'x', '--temperature', '-1')
  fails(2, /temperature: expected a number of at least 0, got -1/, 'run', chatModel, '-p', 'x', '--temperature=-1')
  fails(
    2,
    /--json-schema and --regex cannot be used together/,
    'run',
    chatModel,
    '-p',
    'x',
    '--regex',
    'a',
    '--json-schema',
    'a.json',
  )
  fails(2, /--logit-bias: 5 is not ID=BIAS/, 'run', chatModel, '-p', 'x', '--logit-bias', '5')
  fails(2, /cannot be used together/, 'chat', chatModel, '--think', '--no-think')
  fails(2, /cannot be used together/, 'render', chatModel, saved, '--ids', '--json')
  fails(2, /kvCache/, 'info', chatModel, '--kv', 'f64')
  fails(2, /--tokens: '1,x'/, 'embed', bert, '--tokens', '1,x')
  fails(2, /--dimensions: 'few'/, 'embed', bert, '-p', 'x', '--dimensions', 'few')
  for (const args of [
    ['chat', plain],
    ['render', plain, saved],
  ])
    fails(2, /no chat template; give one as --template FILE/, ...args)
  fails(2, /now/, 'render', chatModel, saved, '--now', 'never')
})

test('failures: status 1 and one line on stderr', () => {
  fails(1, /missing\.gguf/, 'run', 'missing.gguf', '-p', 'x')
  for (const args of [
    ['chat', folder],
    ['run', folder, '-p', 'x'],
    ['info', folder],
  ])
    fails(1, new RegExp(`${folder} is a folder`), ...args)
  fails(1, /missing\.json/, 'run', chatModel, '-p', 'x', '--json-schema', 'missing.json')
  fails(1, /GGUF|magic|file/, 'info', saved)
  fails(1, /no encoder/, 'embed', chatModel, '-p', 'x')
  fails(1, /missing\.json/, 'render', chatModel, 'missing.json')
  fails(1, /stdin: .*JSON/, 'render', chatModel)
  fails(1, /neither a list of messages/, 'render', chatModel, file('wrong.json', '{}'))
  fails(1, /missing\.jinja/, 'chat', chatModel, '--template', 'missing.jinja')
  fails(1, /missing\.json/, 'chat', chatModel, '--load', 'missing.json')
  fails(1, /context/, 'run', chatModel, '-p', 'x'.repeat(3000))
})

test('an error shows control characters as escapes: a template may choose its message', () => {
  const template = file('rude.jinja', '{{ raise_exception("a\\x1b[2J\\x9b31m\\r\\x07\\x7f\tb\\nc") }}')
  const { status, stderr } = heed('render', chatModel, saved, '--template', template)
  assert.equal(status, 1)
  assert.equal(stderr, 'heed: a\\x1b[2J\\x9b31m\\x0d\\x07\\x7f\tb c\n')
})

test('an error shows characters that change the direction of text as escapes; marks in right-to-left text stay', () => {
  fails(1, /a\\u202eb\\u2066c\\u2028d\u200fe/, 'info', 'a\u202eb\u2066c\u2028d\u200fe.gguf')
})

test('without a model, run and info take the bundled one', () => {
  assert.equal(
    output('run', '-p', 'Once', '-n', '5', '--seed', '1'),
    output('run', stories, '-p', 'Once', '-n', '5', '--seed', '1'),
  )
  assert.deepEqual(JSON.parse(output('info')), JSON.parse(output('info', stories)))
})

test('run continues a prompt from -p or stdin; statistics go to stderr', async () => {
  const model = await loadModel(stories, { threads: 1 })
  const expected = `Once upon a time${(await model.generate('Once upon a time', { maxTokens: 20, temperature: 0 })).text}\n`
  await model.dispose()
  const options = ['-n', '20', '--temperature', '0']
  const { status, stdout, stderr } = heed('run', stories, '-p', 'Once upon a time', ...options)
  assert.deepEqual([status, stdout], [0, expected])
  assert.match(
    stderr,
    /^prompt: \d+ tokens, [\d.]+ tokens\/s\ngenerated: 20 tokens, [\d.]+ tokens\/s\nfinish: length; seed: \d+; threads: /,
  )
  assert.equal(heedOn('Once upon a time', 'run', stories, ...options, '--threads', '1').stdout, expected)
  const some = (...args) => output('run', stories, '-p', 'Once', '-n', '20', ...args)
  assert.equal(some('--seed', '5'), some('--seed', '5', '--threads', '1'))
  assert.notEqual(some('--seed', '5'), some('--seed', '6'))
  assert.equal(some('--temperature', '0', '--stop', ' time', '--stop', 'zebra'), 'Once upon a\n')
  assert.equal(some('--temperature', '0', '--logit-bias', '1=-inf', '--context', '64').length > 4, true)
})

test('loads a model from a URL', async () => {
  const server = await serveModel(readFileSync(chatModel))
  try {
    const child = start(process.execPath, [program, 'info', `${server.url}/model`])
    const { status, written } = await child.ended
    assert.deepEqual([status, JSON.parse(written).name], [0, 'scripted'])
  } finally {
    await server.close()
  }
})

test('exits quietly when its output is closed', async () => {
  const child = spawn(process.execPath, [program, 'run', stories, '-p', 'Once', '-n', '200', '--ignore-end'])
  let stderr = ''
  child.stderr.on('data', data => {
    stderr += data
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [status] = await once(child, 'close')
  assert.equal(status, 0)
  assert.doesNotMatch(stderr, /EPIPE|Error/)
})

test('embed writes one vector per text', async () => {
  const model = await loadModel(bert, { threads: 1 })
  const vectors = await model.embed(['a b', 'c'], { normalize: true, pooling: 'mean' })
  await model.dispose()
  const lines = vectors.map(vector => `${JSON.stringify(Array.from(vector))}\n`).join('')
  const options = ['--normalize', '--pooling', 'mean']
  assert.equal(output('embed', bert, '-p', 'a b', '-p', 'c', ...options), lines)
  assert.equal(heedOn('a b\n\nc\n', 'embed', bert, ...options).stdout, lines)
  assert.equal(output('embed', bert, '-p', 'a b', '-p', 'c', '--normalise', ...options.slice(1)), lines)
  assert.equal(output('embed', bert, '-p', 'c', ...options, '--out', 'c.f32'), '')
  assert.deepEqual(readFileSync(join(folder, 'c.f32')), Buffer.from(vectors[1].buffer))
  assert.equal(output('embed', bert, '--tokens', '5,6').split('\n').length, 2)
  assert.equal(JSON.parse(output('embed', bert, '-p', 'c', '--dimensions', '5')).length, 5)
})

test('info of a model with a chat template that cannot be read says why', () => {
  const path = file('broken.gguf', newerFamily('llama', { 'tokenizer.chat_template': ['string', '{% for x in %}'] }))
  const { architecture, chatTemplates, chat } = JSON.parse(output('info', path))
  assert.deepEqual([architecture, chatTemplates], ['llama', ['default']])
  assert.deepEqual(Object.keys(chat), ['error'])
  assert.match(chat.error, /unexpected '%}' \(line 1 of the chat template\)/)
})

test('info describes a model and what it supports', () => {
  const { architecture, contextLength, chatTemplates, chat } = JSON.parse(output('info', chatModel, '--context', '100'))
  assert.deepEqual([architecture, contextLength, chatTemplates, chat.calls], ['llama', 100, ['default'], 'hermes'])
  assert.equal('chat' in JSON.parse(output('info', plain)), false)
})

test('render prints the prompt, its parts or its ids', async () => {
  const prompt = '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi <|im_end|><|im_end|>\n'
  assert.equal(output('render', chatModel, saved), `${prompt}<|im_start|>assistant\n<|turn0|>`)
  assert.equal(
    heedOn(JSON.stringify({ messages: conversation }), 'render', chatModel).stdout,
    `${prompt}<|im_start|>assistant\n<|turn0|>`,
  )
  assert.equal(output('render', chatModel, saved, '--no-generation-prompt'), prompt)
  const parts = JSON.parse(output('render', chatModel, saved, '--json'))
  assert.ok(parts.includes('Hi <|im_end|>') && parts.some(part => part.control?.includes('<|im_end|>')))
  const ids = output('render', chatModel, saved, '--ids').trim().split(',').map(Number)
  const model = await loadModel(chatModel, { threads: 1 })
  assert.deepEqual(ids, await model.tokenize(parts, { addSpecial: false }))
  await model.dispose()
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
  assert.match(heedOn(JSON.stringify({ messages: conversation, tools }), 'render', chatModel).stdout, /<tools>.*"weather"/s)
  const called = {
    role: 'assistant',
    content: '',
    tool_calls: [
      {
        id: 'a',
        type: 'function',
        function: { name: 'f', arguments: { id: 2, of: '\u00002', k2512292042121000001: '2512292042121000002' } },
      },
    ],
  }
  const json = JSON.stringify([{ role: 'user', content: 'Hi' }, called]).replace(
    '"id":2',
    '"id":2512292042121000001, "n": [-9007199254740993, 1000000000000000, 0.1234567890123456789]',
  )
  assert.match(
    heedOn(json, 'render', chatModel).stdout,
    /"arguments": \{"id": 2512292042121000001, "n": \[-9007199254740993, 1000000000000000, 0\.12345678901234568\], "of": "\\u00002", "k2512292042121000001": "2512292042121000002"\}/,
  )
  const begun = file('begun.json', JSON.stringify([...conversation, { role: 'assistant', content: 'Well' }]))
  assert.match(output('render', chatModel, begun, '--continue-final'), /assistant\nWell$/)
  const template = file('clock.jinja', '{{ strftime_now("%Y") }} {{ enable_thinking is defined and enable_thinking }}')
  assert.equal(output('render', stories, saved, '--template', template, '--now', '1999-05-05', '--think'), '1999 True')
  assert.equal(output('render', stories, saved, '--template', template, '--now', '1999-05-05', '--no-think'), '1999 False')
})

test('texts satisfy the constraint', () => {
  const schema = file('schema.json', '{"enum": ["owl", "fox"]}')
  assert.match(output('run', stories, '-p', 'A: ', '--json-schema', schema, '--seed', '1'), /^"(owl|fox)"\n$/)
  assert.match(
    output('run', stories, '-p', 'A: ', '--grammar', file('grammar.gbnf', 'root ::= "x" [0-9]'), '--seed', '1'),
    /^x[0-9]\n$/,
  )
  assert.match(heedOn('Hi\n', 'chat', stories, '--regex', 'yes|no', '--seed', '1').stdout, /^(yes|no)\n/)
  const list = file('list.json', '{"const": [1]}')
  assert.equal(output('run', stories, '-p', 'A', '--json-schema', list, '--whitespace', 'compact'), '[1]\n')
  assert.equal(output('run', stories, '-p', 'A', '--json-schema', list, '--whitespace', '2'), '[\n  1\n]\n')
  fails(2, /regex|\(/, 'run', stories, '-p', 'A', '--regex', '(')
  assert.match(output('run', stories, '-p', 'A', '--json-schema', list, '--closed', 'false'), /^\[\s?1\s?\]\n$/)
  fails(2, /--closed needs --json-schema/, 'run', stories, '-p', 'A', '--regex', 'a', '--closed', 'true')
  fails(2, /--closed: 'no' is not true or false/, 'run', stories, '-p', 'A', '--json-schema', list, '--closed', 'no')
  fails(2, /--whitespace needs --json-schema/, 'run', stories, '-p', 'A', '--regex', 'a', '--whitespace', 'any')
  fails(2, /--whitespace: 'none'/, 'run', stories, '-p', 'A', '--json-schema', list, '--whitespace', 'none')
  const cut = heed('run', stories, '-p', 'A', '--regex', 'a{100}', '-n', '1')
  assert.equal(cut.status, 1)
  assert.match(cut.stderr, /^heed: the text was cut off before it satisfied the constraint$/m)
})
