// Sounds for tests and benchmarks, and files of them.

/** A tone that rises. */
export const chirp = (seconds, rate = 16_000) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => 0.5 * Math.sin(2000 * (i / rate) + 900 * (i / rate) ** 2))

/** A WAV file of samples of 16 bits. */
export function wavFile(samples, { rate = 16_000, channels = 1 } = {}) {
  const data = Int16Array.from(samples, sample => Math.round(Math.max(-1, Math.min(1, sample)) * 32767))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.byteLength, 4)
  header.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate * channels * 2],
    [40, data.byteLength],
  ])
    header.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, channels],
    [32, channels * 2],
    [34, 16],
  ])
    header.writeUInt16LE(value, at)
  header.write('data', 36)
  return new Uint8Array(Buffer.concat([header, Buffer.from(data.buffer)]))
}
