// An array as a file of numpy (format 1.0).

/** The file of an array, whose `values` are in row-major order. */
export function npy(shape: readonly number[], values: Float32Array | Float64Array): Blob {
  const type = values instanceof Float32Array ? '<f4' : '<f8'
  const lengths = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${lengths}), }`
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10
  const start = Uint8Array.of(0x93, ...[...'NUMPY'].map(letter => letter.charCodeAt(0)), 1, 0, length % 256, length >> 8)
  return new Blob([start, `${header.padEnd(length - 1)}\n`, values as Float32Array<ArrayBuffer>])
}
