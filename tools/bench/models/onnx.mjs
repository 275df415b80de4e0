// The parts of a file in ONNX's format: protocol buffers, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. A message is a list
// of buffers, so that weights are not copied.

/** By name: the number of an element's type. */
export const elementTypes = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 }

function varint(value) {
  const bytes = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}

/** Fields of a message, by how they are stored. */
const number = (field, value) => [Buffer.from([...varint(field << 3), ...varint(value)])]
const float = (field, value) => [Buffer.from([...varint((field << 3) | 5), ...new Uint8Array(Float32Array.of(value).buffer)])]
const message = (field, parts) => [
  Buffer.from([...varint((field << 3) | 2), ...varint(parts.reduce((sum, { length }) => sum + length, 0))]),
  ...parts,
]
const text = (field, value) => message(field, [Buffer.from(value)])

/** A constant. `type`: a name of elementTypes; `data`: a buffer, the last axis the fastest. */
export const tensor = (name, type, sizes, data) => [
  ...sizes.flatMap(size => number(1, size)),
  ...number(2, elementTypes[type]),
  ...text(8, name),
  ...message(9, [data]),
]

/** An attribute's value is a whole number, a list of them, or {float}, {tensor} or {graph}, the last two as messages. */
function attribute(name, value) {
  const [type, stored] = Array.isArray(value)
    ? [7, value.flatMap(one => number(8, one))]
    : typeof value === 'number'
      ? [2, number(3, value)]
      : value.float !== undefined
        ? [1, float(2, value.float)]
        : value.tensor
          ? [4, message(5, value.tensor)]
          : [5, message(6, value.graph)]
  return [...text(1, name), ...stored, ...number(20, type)]
}

export const node = (type, inputs, outputs, attributes = {}) => [
  ...inputs.flatMap(name => text(1, name)),
  ...outputs.flatMap(name => text(2, name)),
  ...text(3, outputs[0]),
  ...text(4, type),
  ...Object.entries(attributes).flatMap(([name, value]) => message(5, attribute(name, value))),
]

/** An input or output. `sizes`: numbers, and names of those that differ between calls. */
export function port(name, type, sizes) {
  const dimensions = sizes.flatMap(size => message(1, typeof size === 'number' ? number(1, size) : text(2, size)))
  const shaped = [...number(1, elementTypes[type]), ...message(2, dimensions)]
  return [...text(1, name), ...message(2, message(1, shaped))]
}

/** Its parts are messages. */
export const graph = (name, { nodes, tensors = [], inputs = [], outputs }) => [
  ...nodes.flatMap(one => message(1, one)),
  ...text(2, name),
  ...tensors.flatMap(one => message(5, one)),
  ...inputs.flatMap(one => message(11, one)),
  ...outputs.flatMap(one => message(12, one)),
]

/** The file. `opset`: the version of the operators. */
export const model = (graph, { irVersion = 8, opset = 17 } = {}) => [
  ...number(1, irVersion),
  ...text(2, 'heed-bench'),
  ...message(7, graph),
  ...message(8, [...text(1, ''), ...number(2, opset)]),
]
