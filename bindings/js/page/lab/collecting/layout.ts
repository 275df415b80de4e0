// The files that collections are written to: where each tensor lies is known before the first row, so that rows can be written as
// they come, and again when a collection resumes.
import { refuse } from '../../../wire/errors.js'
import { npyHeader } from '../formats/npy.js'
import { memberHeader, zipEnd } from '../formats/zip.js'

export type FileFormat = 'npy' | 'npz' | 'safetensors'
export type ElementType = 'float32' | 'float16' | 'int32' | 'float64' | 'int64'

const types: Readonly<Record<ElementType, { bytes: number; npy: string; safetensors: string }>> = {
  float16: { bytes: 2, npy: '<f2', safetensors: 'F16' },
  float32: { bytes: 4, npy: '<f4', safetensors: 'F32' },
  float64: { bytes: 8, npy: '<f8', safetensors: 'F64' },
  int32: { bytes: 4, npy: '<i4', safetensors: 'I32' },
  int64: { bytes: 8, npy: '<i8', safetensors: 'I64' },
}

export interface TensorPlan {
  name: string
  type: ElementType
  shape: readonly number[]
}

export interface Layout {
  /** The size of the whole file. */
  bytes: number
  /** The offset in the file at which the elements of each tensor begin. */
  starts: number[]
  /** The headers whose bytes are known from the start. */
  heads: { at: number; data: Uint8Array<ArrayBuffer> }[]
  /** The parts that can be written only at the end, given the checksum of each tensor's bytes. */
  end(sums: readonly number[]): { at: number; data: Uint8Array<ArrayBuffer> }[]
  /** The bytes in front of a tensor's elements that the tensor's checksum covers, too. */
  covered(tensor: number): Uint8Array<ArrayBuffer>
}

const none = new Uint8Array()
const sizeOf = ({ type, shape }: TensorPlan) => shape.reduce((product, length) => product * length, types[type].bytes)

/** Lays out a file with these tensors. Throws `invalid-argument` for several tensors in a .npy file. */
export function layoutOf(format: FileFormat, tensors: readonly TensorPlan[]): Layout {
  if (format === 'npy') {
    if (tensors.length !== 1) throw refuse('collect: to: a .npy file has one point; several need npz or safetensors')
    const [tensor] = tensors as [TensorPlan]
    const data = npyHeader(types[tensor.type].npy, tensor.shape)
    return {
      bytes: data.length + sizeOf(tensor),
      starts: [data.length],
      heads: [{ at: 0, data }],
      end: () => [],
      covered: () => none,
    }
  }
  return format === 'safetensors' ? safetensors(tensors) : npz(tensors)
}

function safetensors(tensors: readonly TensorPlan[]): Layout {
  let end = 0
  const described = tensors.map(tensor => {
    const offsets = [end, (end += sizeOf(tensor))]
    return [tensor.name, { dtype: types[tensor.type].safetensors, shape: tensor.shape, data_offsets: offsets }] as const
  })
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(described)))
  const head = new Uint8Array(8 + Math.ceil(text.length / 8) * 8).fill(0x20)
  new DataView(head.buffer).setBigUint64(0, BigInt(head.length - 8), true)
  head.set(text, 8)
  return {
    bytes: head.length + end,
    starts: described.map(([, { data_offsets }]) => head.length + data_offsets[0]!),
    heads: [{ at: 0, data: head }],
    end: () => [],
    covered: () => none,
  }
}

function npz(tensors: readonly TensorPlan[]): Layout {
  const arrays = tensors.map(tensor => npyHeader(types[tensor.type].npy, tensor.shape))
  let at = 0
  const members = tensors.map((tensor, index) => {
    const name = `${tensor.name}.npy`
    const size = arrays[index]!.length + sizeOf(tensor)
    const from = at
    const inside = from + memberHeader(name, size, 0).length
    at = inside + size
    return { name, size, from, inside }
  })
  if (at >= 2 ** 32 - 2 ** 16) throw refuse(`collect: to: ${at} bytes are too many for npz; safetensors has no limit`)
  const heads = members.map(({ inside }, index) => ({ at: inside, data: arrays[index]! }))
  return {
    bytes:
      at +
      zipEnd(
        members.map(member => ({ ...member, sum: 0 })),
        at,
      ).length,
    starts: members.map(({ inside }, index) => inside + arrays[index]!.length),
    heads,
    end: sums => [
      ...members.map(({ name, size, from }, index) => ({ at: from, data: memberHeader(name, size, sums[index]!) })),
      {
        at,
        data: zipEnd(
          members.map((member, index) => ({ ...member, sum: sums[index]! })),
          at,
        ),
      },
    ],
    covered: index => arrays[index]!,
  }
}
