// Whisper's graphs with random weights, as Optimum exports them and onnxruntime quantizes them dynamically, like the q8 files that
// are published for transformers.js: activations in bytes, with one scale for a tensor; matrices and convolutions in bytes, signed
// in the decoder and unsigned in the encoder, because onnxruntime-web has no signed convolutions; softmax, norms and products of
// two activations in floats. There are fewer small operators than in an export, never more: a norm is one, sizes are constants.
import { graph, model, node, port, tensor } from './onnx.mjs'
import { randomBlocks, randomBytes } from './types.mjs'
import { whisperTensors } from './whisper-file.mjs'

/** The first token that is no word. */
const endToken = 50256

const floats = (...values) => Buffer.from(Float32Array.from(values).buffer)
const whole = (...values) => Buffer.from(BigInt64Array.from(values, BigInt).buffer)
const countOf = sizes => sizes.reduce((product, one) => product * one, 1)

/**
 * Of random bytes as weights, which then have a standard deviation of about 0.02. No two are equal, as in real files: onnxruntime
 * would make one operator of their products with the same activations' scale, and then not fuse those with the matrices'.
 */
const scaleOf = name => ((0.9 + randomBytes(`${name}_scale`)(4).readUInt32LE() / 2 ** 34) * 0.02 * Math.sqrt(12)) / 256

/**
 * The weights of a file, named as in whisper.cpp's and made at their first use. `type`: of the quantized ones, int8, or uint8 with
 * a zero at 128.
 */
export function weightsOf(shape, type) {
  const known = new Map(whisperTensors(shape).map(({ name, ...rest }) => [name, rest]))
  const tensors = new Map()
  const zero = type === 'uint8' ? 128 : 0
  function add(name, type, sizes, data) {
    if (!tensors.has(name)) tensors.set(name, { type, sizes, data: data() })
    return name
  }
  /** The last axis is the fastest. A matrix is input x output, as MatMul wants it. */
  function sizesOf({ role, sizes }) {
    if (role === 'bias') return [countOf(sizes)]
    return role === 'matrix' ? sizes : sizes.toReversed()
  }
  return {
    tensors,
    /** A constant that is no weight. */
    constant: (name, type, sizes, data) => add(name, type, sizes, () => data),
    /** A weight in floats. */
    float(name) {
      const { role, sizes } = known.get(name)
      const count = countOf(sizes)
      const data = () =>
        role === 'norm' ? floats(...new Array(count).fill(1)) : Buffer.concat([...randomBlocks('f32', count, name)])
      return add(name, 'float', sizesOf({ role, sizes }), data)
    },
    /** A weight in bytes: the names of itself, its scale and its zero. */
    quantized(name) {
      const { role, sizes } = known.get(name)
      function data() {
        const bytes = randomBytes(name)(countOf(sizes))
        // Logits of tokens that are no words are 0, and so never the largest.
        return role === 'embedding' ? bytes.fill(zero, endToken * sizes[0]) : bytes
      }
      return [
        add(`${name}_quantized`, type, sizesOf({ role, sizes }), data),
        add(`${name}_scale`, 'float', [], () => floats(scaleOf(name))),
        add(`${name}_zero_point`, type, [], () => Buffer.from([zero])),
      ]
    },
  }
}

/** Adds nodes to a graph. Names are those of tensors: inputs of a method, and its result. `weights`: of the outermost graph. */
class Nodes {
  list = []
  #bytes = new Map()

  constructor(weights, { width, heads }) {
    Object.assign(this, { weights, width, heads })
  }

  /** An operator with one output. */
  op(type, inputs, attributes, output = `${type}_${this.list.length}`) {
    this.list.push(node(type, inputs, [output], attributes))
    return output
  }

  whole = (...values) => this.weights.constant(`whole_${values.join('_')}`, 'int64', [values.length], whole(...values))
  number = value => this.weights.constant(`number_${value}`, 'float', [], floats(value))

  /** Activations in bytes, made once for all their products: the names of the bytes, their scale and their zero. */
  #inBytes(input) {
    if (!this.#bytes.has(input)) {
      const outputs = ['quantized', 'scale', 'zero_point'].map(part => `${input}_${part}`)
      this.list.push(node('DynamicQuantizeLinear', [input], outputs))
      this.#bytes.set(input, outputs)
    }
    return this.#bytes.get(input)
  }

  /** `matrix`: the names of its bytes, their scale and their zero. */
  product(type, input, [matrix, matrixScale, matrixZero], attributes, output) {
    const [bytes, scale, zero] = this.#inBytes(input)
    const sums = this.op(type, [bytes, matrix, zero, matrixZero], attributes)
    const inFloats = this.op('Cast', [sums], { to: 1 })
    return this.op('Mul', [inFloats, this.op('Mul', [scale, matrixScale])], {}, output)
  }

  linear(input, name, { biased = true } = {}) {
    const output = this.product('MatMulInteger', input, this.weights.quantized(`${name}.weight`))
    return biased ? this.op('Add', [this.weights.float(`${name}.bias`), output]) : output
  }

  convolution(input, name, stride) {
    const attributes = { dilations: [1], group: 1, kernel_shape: [3], pads: [1, 1], strides: [stride] }
    const output = this.product('ConvInteger', input, this.weights.quantized(`${name}.weight`), attributes)
    return this.op('Add', [output, this.op('Reshape', [this.weights.float(`${name}.bias`), this.whole(1, -1, 1)])])
  }

  gelu(input) {
    const erf = this.op('Erf', [this.op('Div', [input, this.number(Math.SQRT2)])])
    return this.op('Mul', [this.op('Mul', [input, this.op('Add', [erf, this.number(1)])]), this.number(0.5)])
  }

  norm(input, name, output) {
    const inputs = [input, this.weights.float(`${name}.weight`), this.weights.float(`${name}.bias`)]
    return this.op('LayerNormalization', inputs, { axis: -1, epsilon: { float: 1e-5 } }, output)
  }

  /** From [batch, rows, width] to [batch, heads, rows, width / heads]. */
  split(input, output) {
    const rows = this.op('Reshape', [input, this.whole(0, -1, this.heads, this.width / this.heads)])
    return this.op('Transpose', [rows], { perm: [0, 2, 1, 3] }, output)
  }

  /** Keys and values of heads, as such names. */
  keysAndValues(input, name, outputs = []) {
    const keys = this.split(this.linear(input, `${name}.key`, { biased: false }), outputs[0])
    return [keys, this.split(this.linear(input, `${name}.value`), outputs[1])]
  }

  /** The attention of normed rows; `mask` is added to its scores. */
  attend(input, [keys, values], name, mask) {
    const queries = this.op('Mul', [this.linear(input, `${name}.query`), this.number((this.width / this.heads) ** -0.5)])
    const scores = this.op('MatMul', [this.split(queries), this.op('Transpose', [keys], { perm: [0, 1, 3, 2] })])
    const shares = this.op('Softmax', [mask ? this.op('Add', [scores, mask]) : scores], { axis: -1 })
    const heard = this.op('Transpose', [this.op('MatMul', [shares, values])], { perm: [0, 2, 1, 3] })
    return this.linear(this.op('Reshape', [heard, this.whole(0, 0, this.width)]), `${name}.out`)
  }

  feedForward(input, name) {
    const inner = this.linear(this.norm(input, `${name}.mlp_ln`), `${name}.mlp.0`)
    return this.op('Add', [input, this.linear(this.gelu(inner), `${name}.mlp.2`)])
  }
}

const fileOf = (name, weights, { list }, ports) => {
  const tensors = [...weights.tensors].map(([name, { type, sizes, data }]) => tensor(name, type, sizes, data))
  return model(graph(name, { nodes: list, tensors, ...ports }))
}

/** The file encoder_model: input_features, [batch, bands, 2 * positions], to last_hidden_state, [batch, positions, width]. */
export function encoderFile(shape) {
  const { width, layers, bands, positions } = shape
  const weights = weightsOf(shape, 'uint8')
  const to = new Nodes(weights, shape)
  const sound = to.gelu(to.convolution('input_features', 'encoder.conv1', 1))
  const columns = to.gelu(to.convolution(sound, 'encoder.conv2', 2))
  let rows = to.op('Add', [to.op('Transpose', [columns], { perm: [0, 2, 1] }), weights.float('encoder.positional_embedding')])
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.blocks.${layer}`
    const input = to.norm(rows, `${name}.attn_ln`)
    const heard = to.attend(input, to.keysAndValues(input, `${name}.attn`), `${name}.attn`)
    rows = to.feedForward(to.op('Add', [rows, heard]), name)
  }
  to.norm(rows, 'encoder.ln_post', 'last_hidden_state')
  return fileOf('encoder', weights, to, {
    inputs: [port('input_features', 'float', ['batch_size', bands, 2 * positions])],
    outputs: [port('last_hidden_state', 'float', ['batch_size', positions, width])],
  })
}

/** The mask of a first pass, [tokens, tokens]. `count`: of the tokens, a list of one. */
function causalMask(to, count) {
  const scalar = name => to.op('Squeeze', [name])
  const zero = to.weights.constant('zero', 'int64', [], whole(0))
  const one = to.weights.constant('one', 'int64', [], whole(1))
  const places = to.op('Range', [zero, scalar(count), one])
  const later = to.op('Greater', [to.op('Unsqueeze', [places, to.whole(0)]), to.op('Unsqueeze', [places, to.whole(1)])])
  return to.op('Where', [later, to.number(-3.4e38), to.number(0)])
}

/** Keys and values, of the text and of the sound: {name, sizes} in Optimum's order. `textSize`, `soundSize`: names of sizes. */
const cachesOf = ({ width, heads, layers }, prefix, textSize, soundSize) =>
  Array.from({ length: layers }, (_, layer) =>
    ['decoder', 'encoder'].flatMap(from =>
      ['key', 'value'].map(part => ({
        name: `${prefix}.${layer}.${from}.${part}`,
        sizes: ['batch_size', heads, from === 'decoder' ? textSize : soundSize, width / heads],
      })),
    ),
  ).flat()

/**
 * A branch of the decoder. The first pass makes keys and values of the sound. Later ones take them as inputs and return empty ones,
 * for which the caller keeps those that it has.
 */
function branchOf(shape, weights, name, { isFirst, outputs }) {
  const { width, heads, layers } = shape
  const to = new Nodes(weights, shape)
  const sizeOf = (input, axis) => to.op('Slice', [to.op('Shape', [input]), to.whole(axis), to.whole(axis + 1), to.whole(0)])
  const past = isFirst ? to.whole(0) : sizeOf('past_key_values.0.decoder.key', 2)
  const count = sizeOf('input_ids', 1)
  const [embedding, scale, zero] = weights.quantized('decoder.token_embedding.weight')
  const words = to.op('DequantizeLinear', [to.op('Gather', [embedding, 'input_ids']), scale, zero])
  const places = to.op('Slice', [weights.float('decoder.positional_embedding'), past, to.op('Add', [past, count]), to.whole(0)])
  const mask = isFirst ? causalMask(to, count) : undefined
  let rows = to.op('Add', [words, places])
  for (let layer = 0; layer < layers; layer++) {
    const block = `decoder.blocks.${layer}`
    const [text, sound] = ['decoder', 'encoder'].map(from => ['key', 'value'].map(part => `${layer}.${from}.${part}`))
    const input = to.norm(rows, `${block}.attn_ln`)
    const present = text.map(name => `present.${name}`)
    if (isFirst) to.keysAndValues(input, `${block}.attn`, present)
    else {
      to.keysAndValues(input, `${block}.attn`).forEach((now, i) => {
        to.op('Concat', [`past_key_values.${text[i]}`, now], { axis: 2 }, present[i])
      })
    }
    rows = to.op('Add', [rows, to.attend(input, present, `${block}.attn`, mask)])
    const heard = sound.map(name => `${isFirst ? 'present' : 'past_key_values'}.${name}`)
    if (isFirst) to.keysAndValues('encoder_hidden_states', `${block}.cross_attn`, heard)
    else {
      for (const name of sound) {
        const value = { tensor: tensor(`empty.${name}`, 'float', [0, heads, 1, width / heads], Buffer.alloc(0)) }
        to.op('Constant', [], { value }, `present.${name}`)
      }
    }
    rows = to.op('Add', [rows, to.attend(to.norm(rows, `${block}.cross_attn_ln`), heard, `${block}.cross_attn`)])
    rows = to.feedForward(rows, block)
  }
  const transposed = to.op('Transpose', [embedding], { perm: [1, 0] })
  to.product('MatMulInteger', to.norm(rows, 'decoder.ln'), [transposed, scale, zero], {}, 'logits')
  return graph(name, { nodes: to.list, outputs })
}

/** The file decoder_model_merged: input_ids, [batch, tokens], to logits, [batch, tokens, vocabulary]. */
export function decoderFile(shape) {
  const { width, vocabulary } = shape
  const weights = weightsOf(shape, 'int8')
  const ports = caches => caches.map(({ name, sizes }) => port(name, 'float', sizes))
  const inputs = [
    port('input_ids', 'int64', ['batch_size', 'decoder_sequence_length']),
    port('encoder_hidden_states', 'float', ['batch_size', 'encoder_sequence_length', width]),
    ...ports(cachesOf(shape, 'past_key_values', 'past_decoder_sequence_length', 'encoder_sequence_length_out')),
    port('use_cache_branch', 'bool', [1]),
  ]
  const present = cachesOf(shape, 'present', 'past_decoder_sequence_length + 1', 'encoder_sequence_length_out')
  const outputs = [port('logits', 'float', ['batch_size', 'decoder_sequence_length', vocabulary]), ...ports(present)]
  const list = [
    node('If', ['use_cache_branch'], ['logits', ...present.map(({ name }) => name)], {
      then_branch: { graph: branchOf(shape, weights, 'with_past', { isFirst: false, outputs }) },
      else_branch: { graph: branchOf(shape, weights, 'no_past', { isFirst: true, outputs }) },
    }),
  ]
  return fileOf('merged', weights, { list }, { inputs, outputs })
}
