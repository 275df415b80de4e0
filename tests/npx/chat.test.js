// npx heed chat: with pipes, in a terminal, and on Ctrl-C.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newerFamily } from '../support/newer_families.mjs'
import { endless, file, folder, heedOn, program, scripted, start } from './support.mjs'

const model = scripted('chat.gguf', ['<think>\nLet me see.\n</think>\n\nFirst answer.', 'Second answer.', 'Third answer.'])
const greedy = ['--temperature', '0', '--threads', '1']
const chat = (input, ...args) => heedOn(input, 'chat', model, ...greedy, ...args)

test('each line is a message, and each answer is a line', () => {
  const { status, stdout, stderr } = chat('One?\n\nTwo?\r\nThree?')
  assert.deepEqual([status, stdout, stderr], [0, 'First answer.\nSecond answer.\nThird answer.\n', ''])
  assert.deepEqual([chat('').status, chat('').stdout], [0, ''])
})

test('without a model, it is the bundled one', () => {
  const { status, stdout } = heedOn('Write a story about a fox and a lantern.\n', 'chat', ...greedy)
  assert.equal(status, 0)
  assert.match(stdout, /fox/)
})

test('saves and resumes a conversation', () => {
  const expected = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'First answer.', reasoning_content: 'Let me see.' },
  ]
  const { stderr } = chat('One?\n/save saved.json\n', '--system', 'Be brief.')
  assert.equal(stderr, 'saved 3 messages\n')
  const path = join(folder, 'saved.json')
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), expected)
  assert.equal(chat('Two?\n', '--load', path).stdout, 'Second answer.\n')
  assert.equal(chat(`/load saved.json\nTwo?\n/clear\nOne?\n`).stdout, 'Second answer.\nFirst answer.\n')
})

test('commands do what the help says', () => {
  const saved = (...lines) => {
    const { status, stderr } = chat([...lines, '/save state.json', ''].join('\n'))
    assert.equal(status, 0, stderr)
    return JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')).map(({ role, content }) => `${role}: ${content}`)
  }
  assert.deepEqual(saved('/system  Be brief. '), ['system: Be brief.'])
  assert.deepEqual(saved('/system Be brief.', 'One?', '/clear'), ['system: Be brief.'])
  assert.deepEqual(saved('/system Be brief.', '/system'), [])
  assert.deepEqual(saved('//slash'), ['user: /slash', 'assistant: First answer.'])
  assert.equal(chat('One?\n/exit\nTwo?\n').stdout, 'First answer.\n')
  assert.match(
    chat('One?\n/tokens\n').stdout,
    /^First answer\.\n\d+ of 2048 tokens, \d %\nlast answer: \d+ tokens read, \d+ written, /,
  )
  const help = chat('/help\n').stdout
  for (const name of ['help', 'system', 'image', 'think', 'save', 'load', 'clear', 'tokens', 'exit'])
    assert.match(help, new RegExp(`^  /${name} `, 'm'))
})

test('a model that writes by unmasking reads the whole conversation for each answer', () => {
  const masked = newerFamily('llada', {
    'tokenizer.ggml.mask_token_id': ['u32', 5],
    'tokenizer.chat_template': ['string', '{% for message in messages %}{{ message.content }}{% endfor %}'],
  })
  const { status, stdout, stderr } = heedOn('the hen\n/tokens\n', 'chat', file('llada.gguf', masked), ...greedy, '-n', '8')
  assert.deepEqual([status, stderr], [0, 'the answer reached its maximum length\n'])
  assert.match(stdout, /\n12 of 512 tokens, 2 %\nlast answer: 4 tokens read, 8 written, /)
})

test('turns reasoning on and off', () => {
  const template = file(
    'think.jinja',
    '{% for m in messages %}{{ m.content }}{% endfor %}' +
      "{{ 'unset' if enable_thinking is not defined else enable_thinking }}<|turn0|>",
  )
  const asked = (input, ...args) => heedOn(input, 'chat', model, ...greedy, '--template', template, ...args)
  for (const [args, lines] of [
    [[], ''],
    [['--think'], ''],
    [['--no-think'], ''],
    [[], '/think on\n/think off\n/think auto\n'],
  ]) {
    const { status, stdout, stderr } = asked(`${lines}One?\n`, ...args)
    assert.deepEqual([status, stdout], [0, 'First answer.\n'], stderr)
  }
  const tokens = (...args) => asked('One?\n/tokens\n', ...args).stdout.match(/(\d+) of/)[1] - 0
  assert.notEqual(tokens(), tokens('--think'))
  assert.notEqual(tokens('--no-think'), tokens('--think'))
})

test('a failing line does not end the chat, but sets the exit status', () => {
  for (const [line, message] of [
    ['/foo', /unknown command '\/foo'/],
    ['/think maybe', /on, off or auto/],
    ['/save', /save: give a file name/],
    ['/load', /load: give a file name/],
    ['/load missing.json', /missing\.json/],
    ['/save missing/x.json', /missing\/x\.json/],
    ['x'.repeat(3000), /context/],
  ]) {
    const { status, stdout, stderr } = chat(`${line}\nOne?\n`)
    assert.deepEqual([status, stdout], [1, 'First answer.\n'], line)
    assert.match(stderr, /^heed: [^\n]+\n$/)
    assert.match(stderr, message)
  }
})

test('limits the length of answers', () => {
  const { stdout, stderr } = chat('One?\n', '-n', '8')
  assert.ok('First answer.\n'.startsWith(stdout.trim()))
  assert.equal(stderr, 'the answer reached its maximum length\n')
})

test('SIGINT stops the answer; between answers it ends the program', async () => {
  const { child, until, say, ended } = start(process.execPath, [program, 'chat', ...endless()])
  for (const asked of ['Write a story about a fox.', 'And one about an owl.']) {
    say(`${asked}\n`)
    await until(' ')
    child.kill('SIGINT')
    await until('stopped\n')
  }
  say('/tokens\n')
  await until('last answer: ')
  child.kill('SIGINT')
  assert.equal((await ended).status, 130)
})

test('SIGINT ends run', async () => {
  const [model, ...options] = endless()
  const { child, until, ended } = start(process.execPath, [program, 'run', model, '-p', 'Once upon', '-n', '1000000', ...options])
  await until('Words')
  child.kill('SIGINT')
  const { status, written } = await ended
  assert.equal(status, 130)
  assert.match(written, /\nfinish: abort; /)
})

/** script(1), which runs a command in its own terminal. */
const terminal = '/usr/bin/script'
const needsTerminal = { skip: existsSync(terminal) ? false : `there is no ${terminal}` }
const atTerminal = args =>
  start(terminal, ['-qec', [process.execPath, program, ...args].map(word => `'${word}'`).join(' '), '/dev/null'])

test('in a terminal: a prompt, dimmed reasoning, Ctrl-D', needsTerminal, async () => {
  const { until, say, ended } = atTerminal(['chat', model, ...greedy])
  assert.match(await until('> '), /loading: .*\/help lists the commands/s)
  say('One?\r')
  const before = await until('First answer.')
  assert.match(before, /\x1b\[2mLet\x1b\[0m.*\r\n\r\n$/s)
  await until('> ')
  say('\x04')
  assert.equal((await ended).status, 0)
})

test('in a terminal: Ctrl-C stops an answer; else it discards the line, and the second one exits', needsTerminal, async () => {
  const { until, say, ended } = atTerminal(['chat', ...endless()])
  await until('> ')
  say('Write a story about a fox.\r')
  await until('\n')
  await until(' ')
  say('\x03')
  await until('stopped')
  await until('> ')
  say('half a li')
  await until('half a li')
  say('\x03')
  await until('Press Ctrl-C again')
  await until('> ')
  say('/tokens\r')
  await until('last answer: ')
  await until('> ')
  say('\x03')
  await until('Press Ctrl-C again')
  say('\x03')
  assert.equal((await ended).status, 130)
})
