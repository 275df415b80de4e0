// The newer families in ../shared as WebAssembly, in every module that is built: logits in one pass and token by token, and greedy
// continuations, against llama.cpp's. tests/golden has the same natively.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { forcing, modules, needsShared, sharedFile, withModel } from './support.mjs'

const json = file => JSON.parse(readFileSync(file, 'utf8'))
const floats = file => {
  const bytes = readFileSync(file)
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** Models of a set: their names, files and references. */
const modelsOf = set =>
  Object.entries(json(sharedFile(set, 'index.json')).models).map(([name, { gguf, kind, exact_file: exact }]) => {
    const results = sharedFile(set, 'ref', name)
    const reference = json(`${results}.json`)
    const expected = floats(results + (exact ? '.exact.f32' : kind === 'embed' ? '.hidden.f32' : '.logits.f32'))
    const suffix = exact ? '_exact' : ''
    const [greedy, gaps] = [reference[`greedy${suffix}`], reference[`greedy${suffix}_gap`]]
    return { ...reference, name, kind, file: sharedFile(set, gguf), expected, greedy, gaps }
  })

/** The RMS of the differences over the reference's standard deviation, and the largest difference. */
function distance(given, expected) {
  assert.equal(given.length, expected.length)
  const mean = expected.reduce((sum, value) => sum + value, 0) / expected.length
  let squares = 0
  let variance = 0
  let largest = 0
  for (const [index, value] of expected.entries()) {
    squares += (given[index] - value) ** 2
    variance += (value - mean) ** 2
    largest = Math.max(largest, Math.abs(given[index] - value))
  }
  return { relative: Math.sqrt(squares / variance), largest }
}

const assertNear = ({ relative }) => assert.ok(relative < 2e-5, `a relative distance of ${relative}`)

async function checkDecoder(model, { tokens, expected, greedy, gaps, n_vocab: vocabulary }) {
  const logits = await model.logits(tokens, { positions: 'all' })
  const far = distance(logits, expected)
  assertNear(far)
  for (let end = 1; end <= tokens.length; end++) {
    const row = await model.logits(tokens.slice(0, end)) // of which all but the last are cached
    assert.deepEqual(row, logits.slice((end - 1) * vocabulary, end * vocabulary), `position ${end - 1}`)
  }
  const close = gaps.findIndex(gap => gap <= 2 * far.largest) // a step that may go either way
  const count = close < 0 ? greedy.length : close
  const { tokens: written } = await model.generate(tokens, { maxTokens: count, temperature: 0, stopAtEnd: false })
  assert.deepEqual(
    written.map(token => token.id),
    greedy.slice(0, count),
  )
}

async function checkEncoder(model, { tokens, expected }) {
  const [alone] = await model.embed([tokens], { pooling: 'none' })
  assertNear(distance(alone, expected))
  const [, beside] = await model.embed([tokens.toReversed().slice(9), tokens], { pooling: 'none' })
  assert.deepEqual(beside, alone)
}

/** A model that sees both sides of each position has no other pass than the whole text's. */
async function checkPredictions(model, { tokens, expected, n_vocab: vocabulary }) {
  const logits = await model.logits(tokens, { positions: 'all' })
  assertNear(distance(logits, expected))
  assert.deepEqual(await model.logits(tokens, { positions: [7] }), logits.slice(7 * vocabulary, 8 * vocabulary))
}

const checks = { causal: checkDecoder, embed: checkEncoder, bidir: checkPredictions }

if (needsShared.skip) test('the newer families as WebAssembly', needsShared)
else {
  const held = Object.fromEntries(modules.map(module => [module, 0]))
  const models = ['oracle27', 'oracle27r'].flatMap(modelsOf)
  for (const module of modules) {
    for (const { name, file, kind, ...reference } of models) {
      test(`${name} as WebAssembly: ${module}`, () =>
        withModel(file, { ...forcing(module), kvCache: 'f32', contextLength: reference.n_ctx, threads: 2 }, async model => {
          assert.equal(model.info.memory64, module === 'memory64')
          await checks[kind](model, reference)
          held[module]++
        }))
    }
  }
  test('all of them hold in every module', context => {
    context.diagnostic(JSON.stringify(held))
    for (const module of modules) assert.equal(held[module], models.length, module)
  })
}
