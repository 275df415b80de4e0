// Writes tests/golden/data: a minimal model of each family with its reference, and weight formats with their values.
//   node tests/golden/make/main.mjs            the models, and references in float64; always the same bytes
//   node tests/golden/make/main.mjs LLAMA_CPP  also the references of LLAMA_CPP, the built llama_cpp.cpp
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ggufFile } from '../../../tools/bench/models/gguf.mjs'
import { types } from '../../../tools/bench/models/types.mjs'
import { inRoot } from '../../../tools/paths.mjs'
import { decoders } from './decoders.mjs'
import { encoders, textShape, transformerShape, visionShape } from './encoders.mjs'
import { clipText, clipVision, transformerLogits, vit } from './float64.mjs'
import { randomFloats, randomIds } from './random.mjs'

const data = inRoot('tests', 'golden', 'data')
const families = { ...decoders, ...encoders }
const count = shape => shape.reduce((a, b) => a * b)
const bytesOf = floats => Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength)

const writeGguf = (name, keys, tensors) => writeFileSync(join(data, name), ggufFile(keys, tensors))

const kinds = {
  bert: 'encoder',
  'nomic-bert': 'encoder',
  'modern-bert': 'encoder',
  'qwen3-embedding': 'encoder',
  t5encoder: 'encoder',
  'clip-text': 'encoder',
  t5: 'both',
  transformer: 'both',
  'clip-vision': 'vision',
  vit: 'vision',
}
/** Models whose GELU llama.cpp looks up in an f16 table. */
const tabulated = /^(gemma|gpt2|gptneox|phi2|starcoder2|falcon|bloom|bert$|t5$|t5encoder$)/

/** References for models that llama.cpp does not support, from the weights and the question. */
const float64 = {
  transformer: (weights, { tokens, decoder_tokens: decoderTokens }) => ({
    '': transformerLogits(weights, transformerShape, tokens, decoderTokens),
  }),
  vit: (weights, { image }) => named(vit(weights, visionShape, pictures[image])),
  'clip-vision': (weights, { image }) => named(clipVision(weights, visionShape, pictures[image])),
  'clip-text': (weights, { tokens }) => named(clipText(weights, textShape, tokens)),
}
const named = ({ hidden, ...others }) => ({
  '': hidden,
  ...Object.fromEntries(Object.entries(others).map(([name, rows]) => [`.${name}`, rows])),
})

/** An image in the size of the vision models: red, green, blue and an opaque alpha. */
const colors = randomIds('picture', 4 * visionShape.image ** 2, 256)
const pictures = { 'picture.rgba': Buffer.from(colors.map((byte, i) => (i % 4 === 3 ? 255 : byte))) }

/** The input of a model: an image, 24 tokens, or 21 tokens for an encoder and 13 for its decoder. */
function question(name, model, { keys, vocabularySize }, context) {
  const architecture = keys['general.architecture'][1]
  const kind = kinds[name] ?? kinds[architecture] ?? 'decoder'
  const ids = (what, count) => randomIds(`${model} ${what}`, count, vocabularySize)
  const asked = {
    decoder: () => ({ tokens: ids('tokens', 24) }),
    encoder: () => ({ tokens: ids('tokens', 24) }),
    both: () => ({ tokens: ids('tokens', 21), decoder_tokens: [0, ...ids('decoder tokens', 12)] }),
    vision: () => ({ image: Object.keys(pictures)[0] }),
  }[kind]()
  const answer = float64[name]
    ? { bound: 2e-5, reference: 'the paper, in float64' }
    : tabulated.test(name)
      ? { bound: 1e-3, reference: 'llama.cpp, whose GELU is a table of f16' }
      : { bound: 2e-5, reference: 'llama.cpp' }
  return { name, model: `${model}.gguf`, kind, ...asked, ...(kind === 'vision' ? {} : { context }), ...answer }
}

/** Models with more than one question: long RoPE has two sets of factors, chosen by the context length. */
const several = {
  'phi3-longrope': [
    ['phi3-longrope-short', 256],
    ['phi3-longrope-long', 512],
  ],
  clip: [['clip-vision'], ['clip-text', 32]],
}
const contextOf = ({ keys }) => Math.min(256, keys[`${keys['general.architecture'][1]}.context_length`]?.[1])
const questions = Object.entries(families).flatMap(([model, family]) => {
  const names = several[model] ?? [[model, contextOf(family)]]
  return names.map(([name, context]) => question(name, model, family, context))
})

const weightsOf = model =>
  new Map(
    families[model].tensors.map(tensor => [tensor.name, randomFloats(`${model} ${tensor.name}`, count(tensor.shape), tensor)]),
  )

function writeModels() {
  for (const [name, { keys, tensors }] of Object.entries(families)) {
    const weights = weightsOf(name)
    writeGguf(
      `${name}.gguf`,
      keys,
      tensors.map(({ name, shape }) => ({ name, shape, values: weights.get(name) })),
    )
  }
  for (const [name, bytes] of Object.entries(pictures)) writeFileSync(join(data, name), bytes)
  const lines = questions.map(asked => `  ${JSON.stringify(asked)}`)
  writeFileSync(join(data, 'index.json'), `[\n${lines.join(',\n')}\n]\n`)
}

function writeFloat64() {
  for (const asked of questions.filter(({ name }) => float64[name])) {
    const answers = float64[asked.name](weightsOf(asked.model.replace('.gguf', '')), asked)
    for (const [what, rows] of Object.entries(answers))
      writeFileSync(join(data, `${asked.name}${what}.f32`), bytesOf(Float32Array.from(rows.flat())))
  }
}

const runner = program => (args, input) =>
  execFileSync(program, args.map(String), { input, maxBuffer: 2 ** 26, stdio: ['pipe', 'pipe', 'inherit'] })

function writeReferences(llamaCpp) {
  for (const { name, model, kind, context, tokens, decoder_tokens: decoderTokens } of questions) {
    if (float64[name]) continue
    const lists = (decoderTokens ? [tokens, decoderTokens] : [tokens]).map(ids => ids.join())
    const ask = command => llamaCpp([command, join(data, model), context, ...lists])
    writeFileSync(join(data, `${name}.f32`), ask(kind === 'encoder' ? 'none' : 'logits'))
    if (kind !== 'encoder') continue
    writeFileSync(join(data, `${name}.pooled.f32`), Buffer.concat(['mean', 'cls', 'last'].map(ask)))
  }
}

/** Five rows of small, medium and large values in every format, and the values after decoding. */
function writeFormats(llamaCpp) {
  const [rows, columns] = [5, 512]
  const tensors = Object.keys(types).flatMap(type => {
    const sizes = randomFloats(`${type} sizes`, (rows * columns) / 16, { spread: 3 })
    const values = randomFloats(type, rows * columns, { spread: 1 }).map((value, i) => value * 2 ** sizes[Math.floor(i / 16)])
    const ggmlName = /_k$/.test(type) ? type.replace('k', 'K') : type
    const ask = (command, input) => (type === 'f32' ? input : llamaCpp([command, ggmlName, rows, columns], input))
    const stored = ask('quantize', bytesOf(values))
    const [name, shape] = [type.toUpperCase(), [rows, columns]]
    return [
      { name, shape, type, values: stored },
      { name: `${name}.values`, shape, values: ask('values', stored) },
    ]
  })
  writeGguf('formats.gguf', { 'general.name': ['string', 'every weight format, and its values'] }, tensors)
}

mkdirSync(data, { recursive: true })
writeModels()
writeFloat64()
if (process.argv.length > 2) {
  const llamaCpp = runner(process.argv[2])
  writeReferences(llamaCpp)
  writeFormats(llamaCpp)
}
