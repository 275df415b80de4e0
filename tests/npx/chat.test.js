// npx heed chat: through pipes, at a terminal, and what Ctrl-C does to it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endless, file, folder, heedOn, program, scripted, start } from './support.mjs'

const model = scripted('chat.gguf', ['<think>\nLet me see.\n</think>\n\nFirst answer.', 'Second answer.', 'Third answer.'])
const greedy = ['--temperature', '0', '--threads', '1']
const chat = (input, ...args) => heedOn(input, 'chat', model, ...greedy, ...args)

test('one line is one message, one answer is one line', () => {
  const { status, stdout, stderr } = chat('One?\n\nTwo?\r\nThree?')
  assert.deepEqual([status, stdout, stderr], [0, 'First answer.\nSecond answer.\nThird answer.\n', ''])
  assert.deepEqual([chat('').status, chat('').stdout], [0, ''])
})

test('a conversation is saved and gone on with', () => {
  const expected = [
    { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'One?' },
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
  assert.match(chat('One?\n/tokens\n').stdout, /^First answer\.\n\d+ of 2048 tokens, \d %\nlast answer: \d+ tokens read, \d+ written, /)
  const help = chat('/help\n').stdout
  for (const name of ['help', 'system', 'think', 'save', 'load', 'clear', 'tokens', 'exit']) assert.match(help, new RegExp(`^  /${name} `, 'm'))
})

test('reasoning is asked for or not', () => {
  const template = file('think.jinja', '{% for m in messages %}{{ m.content }}{% endfor %}'
    + "{{ 'unset' if enable_thinking is not defined else enable_thinking }}<|turn0|>")
  const asked = (input, ...args) => heedOn(input, 'chat', model, ...greedy, '--template', template, ...args)
  for (const [args, lines] of [[[], ''], [['--think'], ''], [['--no-think'], ''], [[], '/think on\n/think off\n/think auto\n']]) {
    const { status, stdout, stderr } = asked(`${lines}One?\n`, ...args)
    assert.deepEqual([status, stdout], [0, 'First answer.\n'], stderr)
  }
  const tokens = (...args) => asked('One?\n/tokens\n', ...args).stdout.match(/(\d+) of/)[1] - 0
  assert.notEqual(tokens(), tokens('--think'))
  assert.notEqual(tokens('--no-think'), tokens('--think'))
})

test('a line that fails does not end the rest, but is told of in the end', () => {
  for (const [line, message] of [
    ['/foo', /unknown command '\/foo'/], ['/think maybe', /on, off or auto/], ['/save', /save: give a file name/], ['/load', /load: give a file name/],
    ['/load missing.json', /missing\.json/], ['/save missing/x.json', /missing\/x\.json/], ['x'.repeat(3000), /context/],
  ]) {
    const { status, stdout, stderr } = chat(`${line}\nOne?\n`)
    assert.deepEqual([status, stdout], [1, 'First answer.\n'], line)
    assert.match(stderr, /^heed: [^\n]+\n$/)
    assert.match(stderr, message)
  }
})

test('answers have an end', () => {
  const { stdout, stderr } = chat('One?\n', '-n', '8')
  assert.ok('First answer.\n'.startsWith(stdout.trim()))
  assert.equal(stderr, 'the answer reached its maximum length\n')
})

test('a signal stops the answer and not the program; without an answer it ends it', async () => {
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

test('a signal ends what run writes', async () => {
  const [model, , , ...options] = endless()
  const { child, until, ended } = start(process.execPath, [program, 'run', model, '-p', 'Once upon', '-n', '100000', ...options])
  await until('Once upon')
  child.kill('SIGINT')
  const { status, written } = await ended
  assert.equal(status, 130)
  assert.match(written, /\nfinish: abort; /)
})

/** Runs a command at a terminal of its own. */
const terminal = '/usr/bin/script'
const needsTerminal = { skip: existsSync(terminal) ? false : `there is no ${terminal}` }
const atTerminal = args => start(terminal, ['-qec', [process.execPath, program, ...args].map(word => `'${word}'`).join(' '), '/dev/null'])

test('at a terminal: a prompt, reasoning in dim letters, Ctrl-D', needsTerminal, async () => {
  const { until, say, ended } = atTerminal(['chat', model, ...greedy])
  assert.match(await until('> '), /loading: .*\/help lists the commands/s)
  say('One?\r')
  const before = await until('First answer.')
  assert.match(before, /\x1b\[2mLet\x1b\[0m.*\r\n\r\n$/s)
  await until('> ')
  say('\x04')
  assert.equal((await ended).status, 0)
})

test('at a terminal: Ctrl-C stops an answer; between answers it drops the line, and ends it the second time', needsTerminal, async () => {
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
