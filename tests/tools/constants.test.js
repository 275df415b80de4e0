// Constants that two languages state have the same value in both.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

/** What the groups of `pattern` match in a file, which must contain it. */
function foundIn(path, pattern) {
  const found = pattern.exec(readFileSync(inRoot(path), 'utf8'))
  assert.ok(found, `${path}: ${pattern}`)
  return found.slice(1)
}
const numbersIn = (path, pattern) => foundIn(path, pattern).map(Number)
const namesIn = (path, pattern, name = /'([\w-]+)'/g) => [...foundIn(path, pattern)[0].matchAll(name)].map(([, text]) => text).sort()

const options = 'bindings/js/page/options.ts'

test('the memory of the module', () => {
  const start = 'bindings/js/worker/start-engine.ts', cmake = 'cmake/wasm_module.cmake'
  const [initial] = numbersIn(cmake, /INITIAL_MEMORY=(\d+)MB/)
  assert.deepEqual(numbersIn(start, /initialPages = (\d+) \* 2 \*\* 20 \/ pageBytes/), [initial])
  const [gigabytes64, gigabytes32] = foundIn(cmake, /most_memory (\d+)GB\)\s+[^]*?most_memory (\d+)GB\)/).map(Number)
  assert.equal(2 ** numbersIn(start, /mostPages64 = 2 \*\* (\d+) \/ pageBytes/)[0], gigabytes64 * 2 ** 30)
  assert.equal(2 ** numbersIn(start, /mostPages = 2 \*\* (\d+) \/ pageBytes/)[0], gigabytes32 * 2 ** 30)
  assert.deepEqual(numbersIn(start, /mostTaken = (\d+) \* 2 \*\* (\d+)/),
    numbersIn('src/runtime/load.cpp', /kAddressLimit = sizeof\(void\*\) == 4 \? std::uint64_t\{(\d+)\} << (\d+)/))
})

test('the ranges of options', () => {
  assert.deepEqual(numbersIn(options, /threads: integer\(1, (\d+)\)/), numbersIn('src/base/thread_pool.hpp', /kMaxThreads = (\d+);/))
  assert.deepEqual(numbersIn(options, /parallel: integer\(1, (\d+)\)/), numbersIn('src/runtime/load.hpp', /kMostParallel = (\d+);/))
})

test('the defaults of sampling', () => {
  const native = { temperature: 'temperature', topK: 'top_k', topP: 'top_p', minP: 'min_p', repetitionPenalty: 'repetition_penalty',
    frequencyPenalty: 'frequency_penalty', presencePenalty: 'presence_penalty', penaltyWindow: 'penalty_window' }
  for (const [name, field] of Object.entries(native))
    assert.deepEqual(numbersIn(options, new RegExp(`\\b${name}: \\[.*, ([\\d.]+)\\],`)),
      numbersIn('src/sampling/sampler.hpp', new RegExp(`\\b${field} = ([\\d.]+)f?;`)), name)
  assert.deepEqual(numbersIn(options, /maxTokens: \[tokenLimit, (\d+)\]/), numbersIn('src/runtime/generate.hpp', /max_tokens = (\d+);/))
})

test('the names of types, codes and reasons', () => {
  const returned = (path, pattern) => namesIn(path, pattern, /: return "([\w-]+)"/g)
  assert.deepEqual(namesIn(options, /kvCache: oneOf\((.*)\)/),
    namesIn('src/tensor/kv_type.hpp', /enum class KvType : std::uint8_t \{(.*)\}/, /(\w+)/g))
  const codes = returned('src/base/error.hpp', /to_string\(ErrorCode code\)([^]*?)\n\}/)
  assert.ok(codes.length > 5)
  const publicCodes = namesIn('bindings/js/wire/errors.ts', /export type HeedErrorCode =([^]*?)\n\n/)
  assert.deepEqual(codes.filter(code => !publicCodes.includes(code)), [])
  assert.deepEqual(namesIn('bindings/js/types/index.ts', /export type FinishReason = (.*)/),
    returned('src/runtime/generate.cpp', /to_string\(FinishReason reason\)([^]*?)\n\}/))
})
