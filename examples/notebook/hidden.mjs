// node hidden.mjs TEXT: writes states.npy, the states of the bundled model's residual stream as float32, [layers +
// 1][tokens][width]; the first is the input of layer 0.
import { writeFileSync } from 'node:fs'
import { loadModel } from 'heed'

/** A NPY file, version 1.0, of float32. */
export function npy(shape, values) {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`
  const header = Buffer.from(`${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`) // the values begin at a multiple of 64
  const length = Buffer.alloc(2)
  length.writeUInt16LE(header.length)
  return Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
    length,
    header,
    ...values.map(part => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  ])
}

const model = await loadModel()
const { states, tokens } = await model.hidden(process.argv[2] ?? 'The fox found a lantern.')
writeFileSync('states.npy', npy([states.length, tokens.length, model.info.width], states))
await model.dispose()
