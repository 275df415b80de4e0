// The graphs that the benchmark gives to transformers.js compute Whisper: they agree with plain loops, whose activations are rounded
// to bytes where dynamic quantization does it, and have the names and sizes of Optimum's.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { whispers } from '../../tools/bench/models/whisper.mjs'
import { whisperTensors } from '../../tools/bench/models/whisper-file.mjs'
import { decoderFile, encoderFile } from '../../tools/bench/models/whisper-onnx.mjs'
import { writeWhisperFolder } from '../../tools/bench/models/whisper-transformers.mjs'
import { compute, quantize, readGraph } from '../support/onnx_graph.mjs'

const shape = { vocabulary: 40, positions: 10, bands: 4, width: 16, heads: 2, layers: 2 }
const { vocabulary, positions, bands, width, heads, layers } = shape
const headSize = width / heads

const encoder = readGraph(Buffer.concat(encoderFile(shape)))
const decoder = readGraph(Buffer.concat(decoderFile(shape)))

/** A weight in floats. */
function weight({ tensors }, name) {
  if (tensors[name]) return tensors[name].data
  const [{ data }, scale, zero] = ['quantized', 'scale', 'zero_point'].map(part => tensors[`${name}_${part}`])
  return data.map(byte => (byte - zero.data[0]) * scale.data[0])
}

/** As dynamic quantization rounds activations. */
function rounded(data) {
  const [bytes, scale, zero] = quantize({ sizes: [data.length], data })
  return bytes.data.map(byte => (byte - zero.data[0]) * scale.data[0])
}

const dot = (count, a, b) => Array.from({ length: count }, (_, i) => a(i) * b(i)).reduce((sum, one) => sum + one, 0)
const plus = (a, b) => a.map((value, i) => value + b[i])

/** Rows times a matrix that is input x output. */
function linear(graph, rows, name, biased = true) {
  const matrix = weight(graph, `${name}.weight`)
  const bias = biased ? weight(graph, `${name}.bias`) : undefined
  const bytes = rounded(rows)
  const outputs = name.endsWith('mlp.0') ? 4 * width : width
  const inputs = matrix.length / outputs
  return Float64Array.from({ length: (rows.length / inputs) * outputs }, (_, at) => {
    const [row, output] = [Math.floor(at / outputs), at % outputs]
    const product = dot(
      inputs,
      i => bytes[row * inputs + i],
      i => matrix[i * outputs + output],
    )
    return product + (bias?.[output] ?? 0)
  })
}

function norm(graph, rows, name) {
  const [scale, shift] = ['weight', 'bias'].map(part => weight(graph, `${name}.${part}`))
  return rows.map((value, at) => {
    const row = rows.subarray(at - (at % width), at - (at % width) + width)
    const mean =
      dot(
        width,
        i => row[i],
        () => 1,
      ) / width
    const variance =
      dot(
        width,
        i => row[i] - mean,
        i => row[i] - mean,
      ) / width
    return ((value - mean) / Math.sqrt(variance + 1e-5)) * scale[at % width] + shift[at % width]
  })
}

/** By integrating the normal distribution with Simpson's rule. */
function gelu(x) {
  const steps = 400
  const density = z => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  const area =
    dot(
      steps + 1,
      i => (i === 0 || i === steps ? 1 : i % 2 ? 4 : 2),
      i => density((x * i) / steps),
    ) *
    (x / steps / 3)
  return x * (0.5 + area)
}

/** Each query hears the keys up to its own place, counted from `first`, or all of them. */
function attend(queries, [keys, values], first = Infinity) {
  return queries.map((_, at) => {
    const [row, column] = [Math.floor(at / width), at % width]
    const start = column - (column % headSize)
    const count = Math.min(keys.length / width, first + row + 1)
    const scores = Array.from({ length: count }, (_, key) =>
      Math.exp(
        dot(
          headSize,
          i => queries[row * width + start + i],
          i => keys[key * width + start + i],
        ) / Math.sqrt(headSize),
      ),
    )
    return (
      dot(
        count,
        key => scores[key],
        key => values[key * width + column],
      ) /
      dot(
        count,
        key => scores[key],
        () => 1,
      )
    )
  })
}

const keysAndValues = (graph, rows, name) => [linear(graph, rows, `${name}.key`, false), linear(graph, rows, `${name}.value`)]

function feedForward(graph, rows, name) {
  const inner = linear(graph, norm(graph, rows, `${name}.mlp_ln`), `${name}.mlp.0`)
  return plus(rows, linear(graph, inner.map(gelu), `${name}.mlp.2`))
}

/** channels x places in and out, with a window of three. */
function convolution(input, name, stride) {
  const [matrix, bias, bytes] = [weight(encoder, `${name}.weight`), weight(encoder, `${name}.bias`), rounded(input)]
  const channels = matrix.length / width / 3
  const length = input.length / channels
  const places = length / stride
  return Float64Array.from({ length: width * places }, (_, at) => {
    const [output, place] = [Math.floor(at / places), at % places]
    const value = (channel, tap) => {
      const from = place * stride + tap - 1
      return from < 0 || from >= length ? 0 : bytes[channel * length + from]
    }
    const heard = dot(
      3 * channels,
      i => value(Math.floor(i / 3), i % 3),
      i => matrix[output * 3 * channels + i],
    )
    return gelu(heard + bias[output])
  })
}

function plainEncoder(features) {
  const columns = convolution(convolution(features, 'encoder.conv1', 1), 'encoder.conv2', 2)
  let rows = weight(encoder, 'encoder.positional_embedding').map(
    (value, at) => value + columns[(at % width) * positions + Math.floor(at / width)],
  )
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.blocks.${layer}`
    const input = norm(encoder, rows, `${name}.attn_ln`)
    const heard = attend(linear(encoder, input, `${name}.attn.query`), keysAndValues(encoder, input, `${name}.attn`))
    rows = feedForward(encoder, plus(rows, linear(encoder, heard, `${name}.attn.out`)), name)
  }
  return norm(encoder, rows, 'encoder.ln_post')
}

/** The logits of tokens after those whose keys and values are in `cache`, to which theirs are added. */
function plainDecoder(ids, sound, cache) {
  const [words, places] = ['token_embedding.weight', 'positional_embedding'].map(name => weight(decoder, `decoder.${name}`))
  const first = (cache[0]?.text[0].length ?? 0) / width
  let rows = Float64Array.from(
    ids.flatMap((id, at) => Array.from({ length: width }, (_, i) => words[id * width + i] + places[(first + at) * width + i])),
  )
  for (let layer = 0; layer < layers; layer++) {
    const name = `decoder.blocks.${layer}`
    const kept = (cache[layer] ??= { text: [[], []], sound: keysAndValues(decoder, sound, `${name}.cross_attn`) })
    const input = norm(decoder, rows, `${name}.attn_ln`)
    kept.text = keysAndValues(decoder, input, `${name}.attn`).map((now, i) => Float64Array.of(...kept.text[i], ...now))
    const heard = attend(linear(decoder, input, `${name}.attn.query`), kept.text, first)
    rows = plus(rows, linear(decoder, heard, `${name}.attn.out`))
    const queries = linear(decoder, norm(decoder, rows, `${name}.cross_attn_ln`), `${name}.cross_attn.query`)
    rows = feedForward(decoder, plus(rows, linear(decoder, attend(queries, kept.sound), `${name}.cross_attn.out`)), name)
  }
  const bytes = rounded(norm(decoder, rows, 'decoder.ln'))
  return Float64Array.from({ length: ids.length * vocabulary }, (_, at) =>
    dot(
      width,
      i => bytes[Math.floor(at / vocabulary) * width + i],
      i => words[(at % vocabulary) * width + i],
    ),
  )
}

function assertNear({ sizes, data }, expected, expectedSizes) {
  assert.deepEqual(sizes, expectedSizes)
  const largest = Math.max(...expected.map(Math.abs))
  const difference = Math.max(...data.map((value, i) => Math.abs(value - expected[i])))
  assert.ok(largest > 0.1 && difference < 1e-9 * largest, `differs by ${difference}, of ${largest}`)
}

const featuresOf = seed => Float64Array.from({ length: bands * 2 * positions }, (_, i) => Math.sin(seed * i * i))
const hiddenOf = data => compute(encoder, { input_features: { sizes: [1, bands, 2 * positions], data } }).last_hidden_state

for (const seed of [0.37, 1.1]) {
  test(`the encoder's graph agrees with plain loops: sound ${seed}`, () => {
    assertNear(hiddenOf(featuresOf(seed)), plainEncoder(featuresOf(seed)), [1, positions, width])
  })
}

test("the decoder's graph agrees with plain loops, in a first pass and in later ones with what earlier ones returned", () => {
  const hidden = hiddenOf(featuresOf(0.37))
  const cache = []
  let past = Object.fromEntries(
    Object.keys(decoder.inputs)
      .filter(name => name.startsWith('past'))
      .map(name => [name, { sizes: [1, heads, 0, headSize], data: [] }]),
  )
  for (const [pass, ids] of [[7, 3, 31], [12], [39]].entries()) {
    const outputs = compute(decoder, {
      input_ids: { sizes: [1, ids.length], data: ids },
      encoder_hidden_states: hidden,
      use_cache_branch: { sizes: [1], data: [Number(pass > 0)] },
      ...past,
    })
    assertNear(outputs.logits, plainDecoder(ids, hidden.data, cache), [1, ids.length, vocabulary])
    for (const [name, { sizes }] of Object.entries(outputs)) {
      if (name === 'logits') continue
      const isOfSound = name.includes('encoder')
      assert.deepEqual(
        sizes,
        isOfSound && pass > 0 ? [0, heads, 1, headSize] : [1, heads, isOfSound ? positions : 3 + pass, headSize],
        name,
      )
      if (!isOfSound || pass === 0) past = { ...past, [name.replace('present', 'past_key_values')]: outputs[name] }
    }
  }
})

test('files have the names and sizes that transformers.js expects, and as many weights as the shape', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  after(() => rmSync(folder, { recursive: true }))
  writeWhisperFolder(folder, whispers.tiny)
  const read = name => readFileSync(join(folder, name))
  const graphs = ['encoder_model', 'decoder_model_merged'].map(name => readGraph(read(`onnx/${name}_quantized.onnx`)))
  assert.deepEqual(graphs[0].inputs, { input_features: ['batch_size', 80, 3000] })
  assert.deepEqual(graphs[0].outputs, { last_hidden_state: ['batch_size', 1500, 384] })
  const names = Object.keys(graphs[1].inputs)
  assert.deepEqual(names.slice(0, 6), [
    'input_ids',
    'encoder_hidden_states',
    ...['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map(name => `past_key_values.0.${name}`),
  ])
  assert.deepEqual([names.length, names.at(-1)], [2 + 4 * 4 + 1, 'use_cache_branch'])
  assert.deepEqual(graphs[1].outputs['present.3.decoder.key'], ['batch_size', 6, 'past_decoder_sequence_length + 1', 64])
  for (const [graph, part] of [
    [graphs[0], 'encoder.'],
    [graphs[1], 'decoder.'],
  ]) {
    const stored = Object.entries(graph.tensors).filter(([name]) => name.startsWith(part) && !/_(scale|zero_point)$/.test(name))
    const expected = whisperTensors(whispers.tiny).filter(({ name }) => name.startsWith(part))
    assert.equal(stored.length, expected.length)
    const countOf = sizes => sizes.reduce((product, one) => product * one, 1)
    const wanted = expected.reduce((sum, { sizes }) => sum + countOf(sizes), 0)
    assert.equal(
      stored.reduce((sum, [, { data }]) => sum + data.length, 0),
      wanted,
    )
  }
  const { model, added_tokens: marks } = JSON.parse(read('tokenizer.json'))
  assert.equal(Object.keys(model.vocab).length, 50256)
  assert.deepEqual(
    [50256, 50257, 50362].map(id => marks.find(mark => mark.id === id).content),
    ['<|endoftext|>', '<|startoftranscript|>', '<|notimestamps|>'],
  )
})
