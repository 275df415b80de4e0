// Writes tests/golden/data: the smallest model of each family with its reference, and weight formats with their values.
//   node tests/golden/make/main.mjs            the models, the index and the Transformer's reference; always the same bytes
//   node tests/golden/make/main.mjs LLAMA_CPP  and what the program llama_cpp.cpp, built, says of them
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ggufHeader, paddedTo } from '../../../tools/bench/models/gguf.mjs'
import { inRoot } from '../../../tools/paths.mjs'
import { families, transformerShape } from './families.mjs'
import { randomFloats, randomIds } from './random.mjs'
import { transformerLogits } from './transformer.mjs'

const data = inRoot('tests', 'golden', 'data')
const count = shape => shape.reduce((a, b) => a * b)
const bytesOf = floats => Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength)

/** tensors: [{name, shape, type, data}] */
function writeGguf(name, keys, tensors) {
  const sized = tensors.map(tensor => ({ ...tensor, bytes: tensor.data.length }))
  const padded = sized.map(({ data }) => Buffer.concat([data, Buffer.alloc(paddedTo(data.length) - data.length)]))
  writeFileSync(join(data, name), Buffer.concat([ggufHeader(keys, sized), ...padded]))
}

const kinds = { bert: 'encoder', 'nomic-bert': 'encoder', t5encoder: 'encoder', t5: 'both', transformer: 'both' }
/** Those whose GELU llama.cpp takes from a table of f16 (rel 4e-4). */
const tabulated = /^(gemma|gpt2|gptneox|phi2|starcoder2|falcon|bloom|bert$|t5$|t5encoder$)/

/** What is asked of the model `name`: 24 tokens, or 21 and 13 of a decoder that attends to them. */
function question(name, { keys, vocabularySize }) {
  const kind = kinds[keys['general.architecture'][1]] ?? 'decoder'
  const ids = (what, count) => randomIds(`${name} ${what}`, count, vocabularySize)
  const asked = kind === 'both' ? { tokens: ids('tokens', 21), decoder_tokens: [0, ...ids('decoder tokens', 12)] }
    : { tokens: ids('tokens', 24) }
  const bound = name === 'transformer' ? { bound: 2e-5, reference: 'the paper, in float64' }
    : tabulated.test(name) ? { bound: 1e-3, reference: 'llama.cpp, whose GELU is a table of f16' }
      : { bound: 2e-5, reference: 'llama.cpp' }
  return { name, model: `${name}.gguf`, kind, ...asked, ...bound }
}

/** All of them; of long RoPE both sets of factors, which the context chooses. */
const questions = Object.entries(families).flatMap(([name, family]) => {
  const asked = question(name, family)
  const context = Math.min(256, family.keys[`${family.keys['general.architecture'][1]}.context_length`][1])
  return name === 'phi3-longrope'
    ? [{ ...asked, name: `${name}-short`, context }, { ...asked, name: `${name}-long`, context: 512 }]
    : [{ ...asked, context }]
})

const weightsOf = (name, { tensors }) => new Map(tensors.map(tensor =>
  [tensor.name, randomFloats(`${name} ${tensor.name}`, count(tensor.shape), tensor)]))

function writeModels() {
  for (const [name, family] of Object.entries(families)) {
    const weights = weightsOf(name, family)
    writeGguf(`${name}.gguf`, family.keys, family.tensors.map(({ name, shape }) =>
      ({ name, shape, type: 'f32', data: bytesOf(weights.get(name)) })))
  }
  const { tokens, decoder_tokens: decoderTokens } = questions.find(({ name }) => name === 'transformer')
  const logits = transformerLogits(weightsOf('transformer', families.transformer), transformerShape, tokens, decoderTokens)
  writeFileSync(join(data, 'transformer.f32'), bytesOf(logits))
  const lines = questions.map(asked => `  ${JSON.stringify(asked)}`)
  writeFileSync(join(data, 'index.json'), `[\n${lines.join(',\n')}\n]\n`)
}

const runner = program => (args, input) =>
  execFileSync(program, args.map(String), { input, maxBuffer: 2 ** 26, stdio: ['pipe', 'pipe', 'inherit'] })

function writeReferences(llamaCpp) {
  for (const { name, model, kind, context, tokens, decoder_tokens: decoderTokens } of questions) {
    if (name === 'transformer') continue
    const ask = command => llamaCpp([command, join(data, model), context, tokens.join(), ...decoderTokens ? [decoderTokens.join()] : []])
    writeFileSync(join(data, `${name}.f32`), ask(kind === 'encoder' ? 'none' : 'logits'))
    if (kind === 'encoder') writeFileSync(join(data, `${name}.pooled.f32`), Buffer.concat(['mean', 'cls', 'last'].map(ask)))
  }
}

/** Five rows of small, ordinary and large values in every format, and the values that they have there. */
function writeFormats(llamaCpp) {
  const formats = ['f32', 'f16', 'bf16', 'q8_0', 'q4_0', 'q4_1', 'q5_0', 'q5_1', 'q2_k', 'q3_k', 'q4_k', 'q5_k', 'q6_k', 'iq4_nl',
    'iq4_xs', 'mxfp4', 'tq1_0', 'tq2_0']
  const [rows, columns] = [5, 512]
  const tensors = formats.flatMap(type => {
    const sizes = randomFloats(`${type} sizes`, rows * columns / 16, { spread: 3 })
    const values = randomFloats(type, rows * columns, { spread: 1 }).map((value, i) => value * 2 ** sizes[Math.floor(i / 16)])
    const name = /_k$/.test(type) ? type.replace('k', 'K') : type  // as ggml writes it
    const stored = type === 'f32' ? bytesOf(values) : llamaCpp(['quantise', name, rows, columns], bytesOf(values))
    const meant = type === 'f32' ? stored : llamaCpp(['values', name, rows, columns], stored)
    const shape = [rows, columns]
    const tensor = type.toUpperCase()
    return [{ name: tensor, shape, type, data: stored }, { name: `${tensor}.values`, shape, type: 'f32', data: meant }]
  })
  writeGguf('formats.gguf', { 'general.name': ['string', 'every weight format, and its values'] }, tensors)
}

mkdirSync(data, { recursive: true })
writeModels()
if (process.argv.length > 2) {
  const llamaCpp = runner(process.argv[2])
  writeReferences(llamaCpp)
  writeFormats(llamaCpp)
}
