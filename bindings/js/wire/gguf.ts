// Writes the header of a GGUF file, version 3: for the parts of a model that the store joins, and for a control vector that the
// page saves. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

/** "GGUF", the first four bytes of a file. */
export const magic = 0x46554747
/** The alignment of files that do not state an alignment. */
export const usualAlignment = 32

export const paddedTo = (bytes: number, alignment: number) => Math.ceil(bytes / alignment) * alignment

/** The bytes of a non-negative integer, as a file stores it. */
export const stored = (value: number, size = 8) => Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** at) % 256)

/** A key and its value, or a tensor without its offset, as bytes. */
interface Piece {
  readonly bytes: ArrayLike<number>
}

/** A header with these pairs and tensors. The offsets of tensors count from the aligned end of the header. */
export function ggufHeader(
  pairs: readonly Piece[],
  tensors: readonly (Piece & { offset: number })[],
  alignment = usualAlignment,
): Uint8Array {
  const pieces = [
    stored(magic, 4),
    stored(3, 4),
    stored(tensors.length),
    stored(pairs.length),
    ...pairs.map(({ bytes }) => bytes),
    ...tensors.flatMap(({ bytes, offset }) => [bytes, stored(offset)]),
  ]
  const header = new Uint8Array(
    paddedTo(
      pieces.reduce((sum, { length }) => sum + length, 0),
      alignment,
    ),
  )
  let at = 0
  for (const piece of pieces) {
    header.set(piece, at)
    at += piece.length
  }
  return header
}
