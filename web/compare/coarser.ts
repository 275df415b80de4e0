// A copy of the bundled model with fewer bits for each weight, made in the page: its blocks of 8-bit weights (Q8_0) become blocks
// of 4-bit weights (Q4_0), as in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Everything else stays as it is.
import { HeedError } from 'heed'

const bundled = new URL('../../models/heed-stories.gguf', import.meta.url)

const typeString = 8
const typeList = 9
/** Bytes of a value of the metadata, by its type. */
const valueBytes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }

const codes = { q4: 2, q8: 8 }
const weightsOfBlock = 32
/** A block's scale, as a 16-bit float. */
const scaleBytes = 2
const fineBytes = scaleBytes + weightsOfBlock
const coarseBytes = scaleBytes + weightsOfBlock / 2
const alignment = 32

const aligned = (bytes: number) => Math.ceil(bytes / alignment) * alignment

/** The places in the header that change with a tensor's type. */
interface Tensor {
  readonly typeAt: number
  readonly offsetAt: number
  readonly weights: number
}

/** The tensors of a GGUF file in the order of its directory, and where their data begins. */
function readHeader(view: DataView): { tensors: readonly Tensor[]; dataAt: number } {
  let at = 8 // after the magic and the version
  const u32 = () => view.getUint32((at += 4) - 4, true)
  const u64 = () => Number(view.getBigUint64((at += 8) - 8, true))
  const skipText = () => {
    const length = u64()
    at += length
  }
  const skip = (type: number): void => {
    if (type === typeString) return skipText()
    if (type !== typeList) return void (at += valueBytes[type]!)
    const of = u32()
    for (let left = u64(); left > 0; left--) skip(of)
  }
  const [tensorCount, pairCount] = [u64(), u64()]
  for (let left = pairCount; left > 0; left--) {
    skipText()
    skip(u32())
  }
  const tensors = Array.from({ length: tensorCount }, () => {
    skipText()
    let weights = 1
    for (let left = u32(); left > 0; left--) weights *= u64()
    const typeAt = at
    at += 12
    return { typeAt, offsetAt: typeAt + 4, weights }
  })
  return { tensors, dataAt: aligned(at) }
}

/** Rounds a block to 16 levels, so that its largest weight is one of them; the new scale is the old one times `step`. */
function coarsen(from: DataView, to: DataView): void {
  let most = 0
  for (let at = scaleBytes; at < fineBytes; at++) if (Math.abs(from.getInt8(at)) > Math.abs(most)) most = from.getInt8(at)
  const step = most / -8
  const level = (index: number) =>
    step === 0 ? 8 : Math.max(0, Math.min(15, Math.round(from.getInt8(scaleBytes + index) / step) + 8))
  to.setUint16(0, scaledHalf(from.getUint16(0, true), step), true)
  const half = weightsOfBlock / 2
  for (let index = 0; index < half; index++) to.setUint8(scaleBytes + index, level(index) | (level(index + half) << 4))
}

/** A 16-bit float times a number, rounded to the nearest; none of a model's scales is infinite. */
function scaledHalf(bits: number, factor: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25)
  const value = Math.abs(size * factor)
  const sign = (bits >> 15 === 1) !== factor < 0 ? 0x8000 : 0
  if (value < 2 ** -14) return sign | Math.round(value * 2 ** 24)
  const power = Math.floor(Math.log2(value))
  // A fraction that is rounded up to 1 carries into the exponent, as it should.
  return sign | (((power + 14) << 10) + Math.round(value * 2 ** (10 - power)))
}

/** The model's file with 4 bits instead of 8 for each weight. */
export function coarserFile(file: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const view = new DataView(file)
  const { tensors, dataAt } = readHeader(view)
  const offsetOf = ({ offsetAt }: Tensor) => Number(view.getBigUint64(offsetAt, true))
  const made = new Uint8Array(file.byteLength)
  made.set(new Uint8Array(file, 0, dataAt))
  const header = new DataView(made.buffer)
  let end = dataAt
  for (const tensor of tensors.toSorted((one, other) => offsetOf(one) - offsetOf(other))) {
    const begin = dataAt + offsetOf(tensor)
    header.setBigUint64(tensor.offsetAt, BigInt(end - dataAt), true)
    const blocks = tensor.weights / weightsOfBlock
    if (view.getUint32(tensor.typeAt, true) === codes.q8) {
      header.setUint32(tensor.typeAt, codes.q4, true)
      for (let block = 0; block < blocks; block++)
        coarsen(
          new DataView(file, begin + block * fineBytes, fineBytes),
          new DataView(made.buffer, end + block * coarseBytes, coarseBytes),
        )
      end = aligned(end + blocks * coarseBytes)
    } else {
      const bytes = tensor.weights * 4 // unquantized weights have 32 bits
      made.set(new Uint8Array(file, begin, bytes), end)
      end = aligned(end + bytes)
    }
  }
  return made.slice(0, end)
}

/** Rejects with a HeedError if the bundled model's file cannot be read. */
export async function coarserBundled(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(bundled, { signal })
  if (!answer.ok) throw new HeedError('network', `HTTP ${answer.status}`)
  return coarserFile(await answer.arrayBuffer())
}
