// Constants that C++ and JavaScript both define by hand are equal: sizes of memory and files, the names of values, and the names by
// which they call each other. Options come from the contract (contract.test.js), and the table of tensor types from C++.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { contractOptions } from '../support/contract_options.mjs'

/** The groups of `pattern` matched in a file, which must contain a match. */
function foundIn(path, pattern) {
  const found = pattern.exec(readFileSync(inRoot(path), 'utf8'))
  assert.ok(found, `${path}: ${pattern}`)
  return found.slice(1)
}
const numbersIn = (path, pattern) => foundIn(path, pattern).map(digits => Number(digits.replace(/['_]/g, '')))
const namesIn = (path, pattern, name = /'([\w-]+)'/g) =>
  [...foundIn(path, pattern)[0].matchAll(name)].map(([, text]) => text).sort()

/** The options of each call, as the contract has them. */
const { generate, compile, loadModel, embed, attention } = await contractOptions()

test('the memory of the module', () => {
  const start = 'bindings/js/worker/start-engine.ts',
    cmake = 'cmake/wasm_module.cmake'
  const [initial] = numbersIn(cmake, /INITIAL_MEMORY=(\d+)MB/)
  assert.deepEqual(numbersIn(start, /initialPages = \((\d+) \* 2 \*\* 20\) \/ pageBytes/), [initial])
  const [gigabytes64, gigabytes32] = foundIn(cmake, /most_memory (\d+)GB\)\s+[^]*?most_memory (\d+)GB\)/).map(Number)
  assert.equal(2 ** numbersIn(start, /mostPages64 = 2 \*\* (\d+) \/ pageBytes/)[0], gigabytes64 * 2 ** 30)
  assert.equal(2 ** numbersIn(start, /mostPages = 2 \*\* (\d+) \/ pageBytes/)[0], gigabytes32 * 2 ** 30)
  assert.deepEqual(
    numbersIn(start, /mostTaken = (\d+) \* 2 \*\* (\d+)/),
    numbersIn('src/runtime/memory_plan.cpp', /kAddressLimit = sizeof\(void\*\) == 4 \? std::uint64_t\{(\d+)\} << (\d+)/),
  )
  const [stackShift] = numbersIn(start, /stackBytes = 2 \*\* (\d+)/)
  assert.deepEqual(numbersIn(cmake, /DEFAULT_PTHREAD_STACK_SIZE=(\d+)MB/), [2 ** stackShift / 2 ** 20])
})

test("the size of a file's header, and its numbers", () => {
  const native = 'src/formats/gguf.cpp',
    header = 'bindings/js/store/gguf-header.ts',
    written = 'bindings/js/wire/gguf.ts'
  assert.deepEqual(
    numbersIn(header, /mostHeaderBytes = (\d+) << (\d+)/),
    numbersIn(native, /kMaxHeaderBytes = std::uint64_t\{(\d+)\} << (\d+)/),
  )
  assert.deepEqual(numbersIn(header, /deepestArray = (\d+)/), numbersIn(native, /kDeepestLists = (\d+)/))
  assert.deepEqual(numbersIn(written, /magic = (0x\w+)/), numbersIn(native, /kMagic = (0x\w+)/))
  assert.deepEqual(numbersIn(written, /usualAlignment = (\d+)/), numbersIn(native, /"general.alignment", (\d+)/))
})

test('the forced bytes that a constraint gives at a time', () => {
  assert.deepEqual(
    numbersIn('bindings/js/worker/constraints/module.ts', /mostForced = (\d+)/),
    numbersIn('src/engine/grammar_constraint.cpp', /kMostForced = (\d+)/),
  )
})

test('the ranges of options', () => {
  const { threads, parallel } = loadModel
  assert.deepEqual([threads.kind.range.most], numbersIn('src/base/thread_pool.hpp', /kMaxThreads = (\d+);/))
  assert.deepEqual([parallel.kind.range.most], numbersIn('src/runtime/load.hpp', /kMostParallel = (\d+);/))
  assert.deepEqual([Number.parseInt(parallel.byDefault, 10)], numbersIn('src/runtime/memory_plan.cpp', /kDefaultParallel = (\d+);/))
})

test('the ranges and words of the options of schemas', () => {
  const native = 'src/grammar/schema/options.cpp',
    forms = 'bindings/js/page/constraints.ts'
  const limit = name => numbersIn(native, new RegExp(`${name} = ([\\d']+)`))
  assert.deepEqual(numbersIn(forms, /indent: \[integer\(0, (\d+)\)/), limit('kMaxIndent'))
  assert.deepEqual([generate.maxWhitespace.kind.range.most], limit('kMaxGap'))
  for (const name of ['order', 'escapes', 'formats']) {
    assert.deepEqual(
      [...generate[name].kind.words].sort(),
      namesIn(native, new RegExp(`"${name}"\\) \\{[^]*?choice\\(option, \\{(.*?)\\}`), /"(\w+)"/g),
      name,
    )
  }
  const known = [...readFileSync(inRoot(native), 'utf8').matchAll(/option\.key == "(\w+)"/g)].map(([, name]) => name).sort()
  const ofForms = ['jsonSchema', 'regex', 'grammar', 'choices', 'signal']
  assert.deepEqual(
    Object.keys(compile)
      .filter(name => !ofForms.includes(name))
      .sort(),
    known,
  )
  assert.deepEqual(
    namesIn('bindings/js/wire/constraint.ts', /readonly notation: (.*)/),
    namesIn('src/grammar/outline/parts.cpp', /Notation notation_of\(([^]*?)\n {2}\}/, /name == "(\w+)"/g),
  )
})

test('the size of images', () => {
  const shifts = numbersIn(
    'src/images/picture.hpp',
    /kMostSide = std::size_t\{1\} << (\d+), kMostPixels = std::size_t\{1\} << (\d+)/,
  )
  assert.deepEqual(numbersIn('bindings/js/images/limits.ts', /mostSide = 2 \*\* (\d+)\nconst mostPixels = 2 \*\* (\d+)/), shifts)
})

test('the kinds of edits have the same numbers', () => {
  const native = readFileSync(inRoot('src/runtime/changes/edits.hpp'), 'utf8').match(
    /enum class Kind : std::uint8_t \{([^]*?)\}/,
  )[1]
  const kinds = [...native.matchAll(/^\s*(\w+),/gm)].map(
    ([, name], number) => `${name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}: ${number}`,
  )
  assert.deepEqual(foundIn('bindings/js/worker/lab/edits.ts', /const kinds = \{ (.*) \}/), [kinds.join(', ')])
})

test('the engine has the methods that the worker calls', () => {
  const module = readFileSync(inRoot('bindings/embind/methods.generated.hpp'), 'utf8')
  const described = readFileSync(inRoot('bindings/js/worker/engine.ts'), 'utf8')
  for (const name of ['Engine', 'DecoderRun', 'PictureReading']) {
    const exposed = module.split(`>("${name}")`)[1].split(';')[0]
    const declared = described.split(`export interface ${name} {`)[1].split('\n}\n')[0]
    const methods = [...declared.matchAll(/^ {2}(\w+)\(/gm)].map(([, method]) => method).filter(method => method !== 'delete') // Embind's own
    assert.deepEqual([...exposed.matchAll(/\.function\("(\w+)"/g)].map(([, method]) => method).sort(), methods.sort(), name)
  }
})

test("the engine's answers have the members of their types", () => {
  const results = 'bindings/embind/results.generated.hpp',
    types = 'bindings/js/types/results.ts'
  const set = (path, pattern) => namesIn(path, pattern, /object\.set\("(\w+)"/g)
  const members = (path, name) =>
    namesIn(path, new RegExp(`export interface ${name} \\{([^]*?)\\n\\}`), /^ {2}(?:readonly )?(\w+)\??:/gm)
  const ofPackage = ['simd', 'memory64', 'embedsImages', 'acceptsImages', 'acceptsAudio', 'readsImages']
  assert.deepEqual(
    [
      ...set(results, /to_javascript\(const runtime::ModelInfo& from\) \{([^]*?)\n\}/),
      ...set('bindings/embind/module.cpp', /val info\(\) \{([^]*?)\n {2}\}/),
    ].sort(),
    members(types, 'ModelInfo').filter(name => !ofPackage.includes(name)),
  )
  for (const [name, from] of [
    ['Memory', 'engine::MemoryUse'],
    ['Timings', 'runtime::Timings'],
  ]) {
    assert.deepEqual(set(results, new RegExp(`const ${from}& from\\) \\{([^]*?)\\n\\}`)), members(types, name))
  }
})

test('the names of types, codes and reasons', () => {
  const returned = (path, pattern) => namesIn(path, pattern, /: return "([\w-]+)"/g)
  assert.deepEqual([...embed.pooling.kind.words].sort(), namesIn('src/runtime/pooling.cpp', /kNames\[\] = (.*);/, /"(\w+)"/g))
  assert.deepEqual(
    [...attention.of.kind.words, 'image'].sort(),
    namesIn('src/runtime/requests.cpp', /parse_attention_of\(([^]*?)\n\}/, /"(\w+)"/g),
  )
  assert.deepEqual(
    loadModel.kvCache.kind.words.filter(word => !['auto', 'int8'].includes(word)).sort(), // the choice, and an old name
    namesIn('src/tensor/kv_type.hpp', /enum class KvType : std::uint8_t \{(.*)\}/, /(\w+)/g),
  )
  const codes = returned('src/base/error.hpp', /to_string\(ErrorCode code\)([^]*?)\n\}/)
  assert.ok(codes.length > 5)
  const publicCodes = namesIn('bindings/js/wire/errors.ts', /export type HeedErrorCode =([^]*?)\n\n/)
  assert.deepEqual(
    codes.filter(code => !publicCodes.includes(code)),
    [],
  )
  assert.deepEqual(
    namesIn('bindings/js/types/results.ts', /export type FinishReason = (.*)/),
    returned('src/runtime/generate.cpp', /to_string\(FinishReason reason\)([^]*?)\n\}/),
  )
})

test('the characters that separate lines or change the direction of what follows', () => {
  /** The code points from U+2000 on in the ranges that `pattern` finds in a file, each as its first and, if there is one, its last. */
  const listed = (path, pattern, range) =>
    [...foundIn(path, pattern)[0].matchAll(range)]
      .map(([, first, last = first]) => [first, last].map(digits => parseInt(digits, 16)))
      .filter(([first]) => first >= 0x2000)
      .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
  const inScripts = /\\u(\w{4})(?:-\\u(\w{4}))?/g
  const [separators, turning] = [/shownByNumber = new RegExp\(`(.*)\|/, /turning = (.*)/].map(pattern =>
    listed('bindings/viewer/support/format.ts', pattern, inScripts),
  )
  assert.equal(turning.length, 9)
  const wanted = [...separators, ...turning]
  assert.deepEqual(listed('web/support/format.ts', /misleading = (.*)/, inScripts), wanted)
  assert.deepEqual(listed('bindings/js/cli/output.ts', /controls = (.*)/, inScripts), wanted)
  assert.deepEqual(listed('tools/cli/output.cpp', /bool is_control([^]*?)\n\}/, /within\(0x(\w+), 0x(\w+)\)/g), wanted)
})
