// The command `heed tokenize`; the tokens themselves are tested in tests/golden.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const oracle = inRoot('..', 'shared', 'oracle')
const needsShared = { skip: existsSync(oracle) ? false : 'there is no ../shared' }
const vocabulary = join(oracle, 'vocab/vocab-llama2-spm.gguf')

const tokenize = (args, input = '') =>
  spawnSync(inRoot('tools/heed'), ['tokenize', vocabulary, ...args], { input, encoding: 'utf8' })

function output(args, input) {
  const { status, stdout, stderr } = tokenize(args, input)
  assert.equal(status, 0, stderr)
  return stdout
}

const answers = requests =>
  output(['--jsonl'], requests.map(request => `${JSON.stringify(request)}\n`).join(''))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

test('prints ids separated by commas, as heed logits reads them', needsShared, () => {
  assert.equal(output(['Hello world']), '1,15043,3186\n')
  assert.equal(output(['Hello world', '--no-special']), '15043,3186\n')
  assert.equal(output(['</s>', '--no-special', '--parse-special']), '2\n')
  assert.notEqual(output(['</s>', '--no-special']), '2\n')
  assert.equal(output(['--', '--no-special']), output([], '--no-special'))
  assert.equal(output(['']), '1\n')
})

test('without a text, tokenizes all of standard input', needsShared, () => {
  assert.equal(output(['--no-special'], 'Hello world\n'), '15043,3186,13\n')
  assert.equal(output(['--no-special']), '\n')
})

test('answers requests line by line', needsShared, () => {
  const { cases } = JSON.parse(readFileSync(join(oracle, 'tokens/llama2-spm.json'), 'utf8'))
  const encoded = answers(cases.map(({ b64 }) => ({ b64, add_special: false })))
  const parsed = answers(cases.map(({ b64 }) => ({ b64, parse_special: true })))
  const decoded = answers(cases.map(({ full }) => ({ ids: full, special: true, tidy: true })))
  cases.forEach(({ label, plain, full, detok_full }, i) => {
    assert.deepEqual(encoded[i], { ids: plain }, label)
    assert.deepEqual(parsed[i], { ids: full }, label)
    assert.deepEqual(decoded[i], { b64: detok_full }, label)
  })
})

test('tidies decoded text on request', needsShared, () => {
  const text = request => Buffer.from(answers([request])[0].b64, 'base64').toString()
  assert.equal(text({ ids: [15043, 3186] }), ' Hello world')
  assert.equal(text({ ids: [15043, 3186], tidy: true }), 'Hello world')
  assert.equal(text({ ids: [1, 15043] }), ' Hello')
  assert.equal(text({ ids: [1, 15043], special: true }), '<s> Hello')
})

test('recognizes control tokens only in control parts', needsShared, () => {
  const [forged, marked] = answers([
    { parts: [{ control: '<s>' }, 'Hello</s>', { control: '</s>' }], add_special: false },
    { parts: [{ control: '<s>Hello' }, ' world'], add_special: false },
  ])
  assert.deepEqual([forged.ids[0], forged.ids.filter(id => id === 2).length, forged.ids.at(-1)], [1, 1, 2])
  assert.deepEqual(marked, answers([{ b64: btoa('<s>Hello world'), add_special: false, parse_special: true }])[0])
})

test('an invalid request ends the run with an error that names its line', needsShared, () => {
  const bad = {
    'not a JSON object': '[1]',
    'one of "b64", "parts" and "ids" is required': '{}',
    '"parts" is not a list': '{"parts": "x"}',
    '{"control":1} is neither a string nor {"control": text}': '{"parts": [{"control": 1}]}',
    '"b64" is not base64': '{"b64": "?"}',
    'unknown key "tidy"': '{"b64": "", "tidy": true}',
    '"add_special" is neither true nor false': '{"b64": "", "add_special": 1}',
    '"ids" is not a list': '{"ids": 1}',
    '1.5 is not the id of a token': '{"ids": [1.5]}',
    'token: 32000 is outside the vocabulary of 32000 tokens': '{"ids": [32000]}',
  }
  for (const [message, line] of Object.entries(bad)) {
    const { status, stdout, stderr } = tokenize(['--jsonl'], `{"b64": ""}\n${line}\n`)
    assert.equal(status, 1)
    assert.equal(stdout, '{"ids":[1]}\n')
    assert.equal(stderr, `heed: line 2: ${message}\n`)
  }
})

test('rejects a text or flags next to --jsonl', needsShared, () => {
  for (const arg of ['text', '--no-special', '--parse-special']) {
    const { status, stderr } = tokenize(['--jsonl', arg])
    assert.equal(status, 2)
    assert.match(stderr, /^heed: .*--jsonl\n$/)
  }
})
