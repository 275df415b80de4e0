// Reads an ONNX file and computes its graph, slowly and in doubles: only the operators, and of them only the attributes, that the
// benchmark's Whisper models have. Errors name what else a file has.
const types = {
  1: bytes => Float64Array.from(new Float32Array(bytes)),
  2: bytes => Float64Array.from(new Uint8Array(bytes)),
  3: bytes => Float64Array.from(new Int8Array(bytes)),
  7: bytes => Float64Array.from(new BigInt64Array(bytes), Number),
}

/** The fields of a protocol buffers message: {number: [values]}, whole numbers as BigInts, others as buffers. */
function fieldsOf(bytes) {
  const fields = {}
  let at = 0
  function varint() {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asIntN(64, value)
    }
  }
  function take(length) {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const read = { 0: varint, 2: () => take(Number(varint())), 5: () => take(4) }[tag & 7]
    ;(fields[tag >> 3] ??= []).push(read())
  }
  return fields
}

const textsOf = (fields = []) => fields.map(String)
const numbersOf = (fields = []) => fields.map(Number)

function tensorOf(bytes) {
  const { 1: sizes, 2: type, 8: name, 9: data } = fieldsOf(bytes)
  const value = { sizes: numbersOf(sizes), data: types[type[0]](Uint8Array.from(data[0]).buffer) }
  if (value.data.length !== countOf(value.sizes)) throw new Error(`${name}: ${value.data.length} values of ${value.sizes}`)
  return value
}

function attributeOf(bytes) {
  const { 1: name, 2: float, 3: whole, 5: tensor, 6: graph, 8: list, 20: type } = fieldsOf(bytes)
  const values = {
    1: () => float[0].readFloatLE(),
    2: () => Number(whole[0]),
    4: () => tensorOf(tensor[0]),
    5: () => graphOf(graph[0]),
    7: () => numbersOf(list),
  }
  return [String(name), values[type[0]]()]
}

function nodeOf(bytes) {
  const { 1: inputs, 2: outputs, 4: type, 5: attributes = [] } = fieldsOf(bytes)
  return {
    type: String(type),
    inputs: textsOf(inputs),
    outputs: textsOf(outputs),
    attributes: Object.fromEntries(attributes.map(attributeOf)),
  }
}

/** [name, sizes]: numbers, and the names of those that differ between calls. */
function portOf(bytes) {
  const { 1: name, 2: type } = fieldsOf(bytes)
  const { 2: shape } = fieldsOf(fieldsOf(type[0])[1][0])
  const sizes = fieldsOf(shape[0])[1].map(size => {
    const { 1: number, 2: text } = fieldsOf(size)
    return number ? Number(number[0]) : String(text)
  })
  return [String(name), sizes]
}

function graphOf(bytes) {
  const { 1: nodes, 5: tensors = [], 11: inputs = [], 12: outputs } = fieldsOf(bytes)
  return {
    nodes: nodes.map(nodeOf),
    tensors: Object.fromEntries(tensors.map(one => [String(fieldsOf(one)[8]), tensorOf(one)])),
    inputs: Object.fromEntries(inputs.map(portOf)),
    outputs: Object.fromEntries(outputs.map(portOf)),
  }
}

/** The graph of a file, {nodes, tensors, inputs, outputs}: the last three by name; a tensor is {sizes, data}. */
export const readGraph = file => graphOf(fieldsOf(file)[7][0])

const countOf = sizes => sizes.reduce((product, one) => product * one, 1)
const scalar = ({ data }) => data[0]
const list = values => ({ sizes: [values.length], data: Float64Array.from(values) })
const map = ({ sizes, data }, change) => ({ sizes, data: data.map(change) })
const stepsOf = sizes => sizes.map((_, axis) => countOf(sizes.slice(axis + 1)))

/** A tensor whose values are `at(index)`, of a list of an index for each axis. */
function made(sizes, at) {
  const steps = stepsOf(sizes)
  return {
    sizes,
    data: Float64Array.from({ length: countOf(sizes) }, (_, i) =>
      at(steps.map((step, axis) => Math.floor(i / step) % sizes[axis])),
    ),
  }
}

/** The value at the last axes of an index; an axis of size 1 serves for any index. */
function valueAt({ sizes, data }, index) {
  const steps = stepsOf(sizes)
  const skipped = index.length - sizes.length
  return data[steps.reduce((sum, step, axis) => sum + (sizes[axis] === 1 ? 0 : index[axis + skipped]) * step, 0)]
}

/** Element by element, with axes of size 1 repeated. */
function together(tensors, combine) {
  const rank = Math.max(...tensors.map(({ sizes }) => sizes.length))
  const sizes = Array.from({ length: rank }, (_, axis) => {
    const all = tensors.map(({ sizes }) => sizes[axis - rank + sizes.length] ?? 1)
    const size = all.find(one => one !== 1) ?? 1
    if (all.some(one => one !== 1 && one !== size)) throw new Error(`sizes that do not fit: ${all}`)
    return size
  })
  return made(sizes, index => combine(...tensors.map(tensor => valueAt(tensor, index))))
}

const sum = (count, term) => Array.from({ length: count }, (_, i) => term(i)).reduce((total, one) => total + one, 0)

function matMul(a, b) {
  const [rows, inner] = a.sizes.slice(-2)
  if (b.sizes.at(-2) !== inner) throw new Error(`a product of ${a.sizes} and ${b.sizes}`)
  const [outer, columns] = [a.sizes.slice(0, -2), b.sizes.at(-1)]
  return made([...outer, rows, columns], index => {
    const [before, row, column] = [index.slice(0, -2), index.at(-2), index.at(-1)]
    return sum(inner, k => valueAt(a, [...before, row, k]) * valueAt(b, [...before, k, column]))
  })
}

function softmax({ sizes, data }) {
  const width = sizes.at(-1)
  const rows = Array.from({ length: data.length / width }, (_, row) => {
    const powers = data.slice(row * width, (row + 1) * width).map((value, _, all) => Math.exp(value - Math.max(...all)))
    return [...powers.map((power, _, all) => power / sum(width, i => all[i]))]
  })
  return { sizes, data: Float64Array.from(rows.flat()) }
}

function layerNorm({ sizes, data }, scale, shift, { epsilon }) {
  const width = sizes.at(-1)
  const rows = Array.from({ length: data.length / width }, (_, row) => {
    const values = data.slice(row * width, (row + 1) * width)
    const mean = sum(width, i => values[i]) / width
    const deviation = Math.sqrt(sum(width, i => (values[i] - mean) ** 2) / width + epsilon)
    return [...values.map((value, i) => ((value - mean) / deviation) * scale.data[i] + shift.data[i])]
  })
  return { sizes, data: Float64Array.from(rows.flat()) }
}

function convolution(input, matrix, { strides: [stride], pads: [pad], kernel_shape: [taps] }) {
  const [batch, channels, length] = input.sizes
  const places = Math.floor((length + 2 * pad - taps) / stride) + 1
  return made([batch, matrix.sizes[0], places], ([text, channel, place]) =>
    sum(channels * taps, i => {
      const [from, tap] = [Math.floor(i / taps), i % taps]
      const at = place * stride + tap - pad
      return at < 0 || at >= length ? 0 : valueAt(input, [text, from, at]) * valueAt(matrix, [channel, from, tap])
    }),
  )
}

/** Abramowitz and Stegun's series 7.1.5. */
function erf(x) {
  if (Math.abs(x) > 5) return Math.sign(x)
  let [term, total] = [x, x]
  for (let n = 1; Math.abs(term) > 1e-18; n++) {
    term *= -(x * x) / n
    total += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * total
}

/** Half to even. */
const round = x => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x))

/** What ONNX calls a dynamic quantization: bytes, their scale and their zero. */
export function quantize({ sizes, data }) {
  const [least, most] = [Math.min(0, ...data), Math.max(0, ...data)]
  const scale = (most - least) / 255
  const byte = value => Math.max(0, Math.min(255, round(value)))
  const zero = byte(-least / scale)
  return [
    map({ sizes, data }, value => byte(round(value / scale) + zero)),
    ...[scale, zero].map(one => ({ sizes: [], data: [one] })),
  ]
}

const less = (tensor, zero) => map(tensor, value => value - scalar(zero))

/** By type: from inputs and attributes to an output, or a list of several. */
const operators = {
  Add: (a, b) => together([a, b], (a, b) => a + b),
  Mul: (a, b) => together([a, b], (a, b) => a * b),
  Div: (a, b) => together([a, b], (a, b) => a / b),
  Greater: (a, b) => together([a, b], (a, b) => Number(a > b)),
  Where: (...inputs) => together(inputs.slice(0, 3), (is, a, b) => (is ? a : b)),
  Erf: input => map(input, erf),
  Cast: input => input,
  MatMul: matMul,
  MatMulInteger: (a, b, zeroOfA, zeroOfB) => matMul(less(a, zeroOfA), less(b, zeroOfB)),
  ConvInteger: (input, matrix, zero, zeroOfMatrix, attributes) =>
    convolution(less(input, zero), less(matrix, zeroOfMatrix), attributes),
  DynamicQuantizeLinear: quantize,
  DequantizeLinear: (input, scale, zero) => map(less(input, zero), value => value * scalar(scale)),
  Softmax: softmax,
  LayerNormalization: layerNorm,
  Constant: ({ value }) => value,
  Shape: ({ sizes }) => list(sizes),
  Range: (start, end, step) =>
    list(Array.from({ length: (scalar(end) - scalar(start)) / scalar(step) }, (_, i) => scalar(start) + i)),
  Squeeze: ({ sizes, data }) => ({ sizes: sizes.filter(size => size !== 1), data }),
  Unsqueeze: ({ sizes, data }, axes) => ({ sizes: sizes.toSpliced(scalar(axes), 0, 1), data }),
  Transpose: (input, { perm }) =>
    made(
      perm.map(axis => input.sizes[axis]),
      index =>
        valueAt(
          input,
          input.sizes.map((_, axis) => index[perm.indexOf(axis)]),
        ),
    ),
  Reshape({ sizes, data }, wanted) {
    const known = [...wanted.data].map((size, axis) => (size === 0 ? sizes[axis] : size))
    const rest = data.length / -countOf(known)
    return { sizes: known.map(size => (size === -1 ? rest : size)), data }
  },
  Gather: (table, ids) =>
    made([...ids.sizes, ...table.sizes.slice(1)], index => {
      const [place, column] = [index.slice(0, ids.sizes.length), index.slice(ids.sizes.length)]
      return valueAt(table, [valueAt(ids, place), ...column])
    }),
  Slice(input, starts, ends, axes) {
    const axis = scalar(axes)
    const end = Math.min(scalar(ends), input.sizes[axis])
    return made(input.sizes.with(axis, end - scalar(starts)), index =>
      valueAt(input, index.with(axis, index[axis] + scalar(starts))),
    )
  },
  Concat: (a, b, { axis }) =>
    made(a.sizes.with(axis, a.sizes[axis] + b.sizes[axis]), index =>
      index[axis] < a.sizes[axis] ? valueAt(a, index) : valueAt(b, index.with(axis, index[axis] - a.sizes[axis])),
    ),
}

/** Computes the outputs of a graph, {name: tensor}, from such inputs. `outer`: the tensors of the graph around it. */
export function compute(graph, inputs, outer = {}) {
  const known = Object.assign(Object.create(outer), graph.tensors, inputs)
  for (const { type, inputs, outputs, attributes } of graph.nodes) {
    const values = inputs.map(name => {
      if (!(name in known)) throw new Error(`${outputs[0]}: an input that is not there, ${name}`)
      return known[name]
    })
    if (type === 'If') {
      const branch = scalar(values[0]) ? attributes.then_branch : attributes.else_branch
      const results = compute(branch, {}, known)
      outputs.forEach((name, i) => {
        known[name] = results[Object.keys(branch.outputs)[i]]
      })
    } else {
      const result = operators[type](...values, attributes)
      const results = Array.isArray(result) ? result : [result]
      outputs.forEach((name, i) => {
        known[name] = results[i]
      })
    }
  }
  return Object.fromEntries(Object.keys(graph.outputs).map(name => [name, known[name]]))
}
