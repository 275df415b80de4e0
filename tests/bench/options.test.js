// `npm run bench` rejects invalid options before it builds anything.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { readOptions } from '../../tools/bench/options.mjs'
import { inRoot } from '../../tools/paths.mjs'

const mistakes = [
  [/--speed/, '--speed', '9'],
  [/'all'/, 'all'],
  [/"2b".*1\.1b/, '--model', '135m,2b'],
  [/"q4_9".*q4_0/, '--format', 'q4_9'],
  [/--threads: "0"/, '--threads', '0'],
  [/--prompt: "12x"/, '--prompt', '128,12x'],
  [/--tokens/, '--tokens', '1'],
  [/"avx"/, '--simd', 'avx'],
  [/"f8".*int16/, '--kv', 'f8'],
  [/"16".*32, 64/, '--memory', '32,16'],
  [/--memory.*once/, '--memory', '32,64,64'],
  [/--memory.*simd128/, '--memory', '64', '--simd', 'simd128'],
  [/"sdot".*usdot, sat/, '--dot', 'sdot'],
  [/--dot.*simd128/, '--dot', 'sat', '--simd', 'simd128'],
  [/--dot.*firefox/, 'texts', '--dot', 'sat', '--browser', 'firefox'],
  [/--tokens: "0"/, 'passes', '--tokens', '2,0'],
  [/--prompt/, 'passes', '--prompt', '64'],
  [/drafts.*--file/, 'drafts', '--accept', '50'],
  [/--tokens: 256 at most/, 'drafts', '--file', 'x.gguf', '--tokens', '250', '--parallel', '8'],
  [/"node".*chromium/, 'texts', '--browser', 'node'],
  [/--accept: "x"/, 'drafts', '--file', 'x.gguf', '--accept', 'x'],
  [/--vs: drafts by its own heads/, 'drafts', '--file', 'x.gguf', '--draft', 'y.gguf', '--vs', 'llama.cpp'],
  [/--dot/, 'store', '--dot', 'sat'],
  [/"netscape".*chromium/, '--browser', 'netscape'],
  [/"tabby".*wllama/, '--vs', 'tabby'],
  [/--file/, '--file', 'x.gguf', '--model', '135m'],
  [/--threads/, 'kernels', '--threads', '2'],
  [/--busy: "x"/, 'threads', '--busy', 'x'],
  [/--prompt/, 'store', '--prompt', '64'],
  [/"135m".*smolvlm2-500m/, 'vision', '--model', '135m'],
  [/"llama.cpp".*wllama/, 'vision', '--vs', 'llama.cpp'],
  [/--image: "0"/, 'vision', '--image', '0'],
  [/"wllama".*whisper.cpp, transformers.js/, 'speech', '--vs', 'wllama'],
  [/--kernel/, 'tokenizers', '--kernel', 'gemv'],
  [/--file.*--schemas/, 'constraints', '--file', 'x.gguf'],
  [/"wllama".*xgrammar/, 'constraints', '--file', 'x.gguf', '--schemas', 'x.jsonl', '--vs', 'wllama'],
]
for (const [message, ...args] of mistakes) {
  test(`rejects ${args.join(' ')}`, () => assert.throws(() => readOptions(args), { message }))
}

test('reads lists and keeps defaults', () => {
  const args = ['--model', '135m,0.5b', '--prompt', '64', '--vs', 'wllama']
  const { model, prompt, threads, vs } = readOptions(args)
  assert.deepEqual([model, prompt, threads, vs], [['135m', '0.5b'], [64], 2, ['wllama']])
})

test('reads the list of vocabulary files', () => {
  assert.deepEqual(readOptions(['tokenizers', '--file', 'a.gguf,b.gguf']), { command: 'tokenizers', file: ['a.gguf', 'b.gguf'] })
})

test('reports an error in one line on stderr; prints help on request', () => {
  const program = inRoot('tools/bench/main.mjs')
  const bench = (...args) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  const { status, stdout, stderr } = bench('--format', 'q4_9')
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^[^\n]*q4_9[^\n]*\n$/)
  assert.match(bench('--help').stdout, /--vs/)
})
