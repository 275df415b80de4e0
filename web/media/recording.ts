// A sound that is being recorded: its samples in 16 bits, as they arrive, and how loud it is.
import { levelsOf } from './levels.js'

/** The rate of the samples that models get from a microphone, in Hz. */
const rate = 16_000
const headerBytes = 44
const most = 0x7fff

export class Recording {
  readonly #pieces: Int16Array<ArrayBuffer>[] = []
  readonly levels: number[] = []

  add(samples: Float32Array): void {
    this.#pieces.push(Int16Array.from(samples, sample => Math.round(Math.max(-1, Math.min(1, sample)) * most)))
    this.levels.push(...levelsOf(samples, rate))
  }

  /** The recording as a WAV file. */
  file(): Blob {
    const bytes = this.#pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
    const header = new DataView(new ArrayBuffer(headerBytes))
    const write = (at: number, name: string) => [...name].forEach((letter, i) => header.setUint8(at + i, letter.charCodeAt(0)))
    write(0, 'RIFF')
    header.setUint32(4, headerBytes - 8 + bytes, true)
    write(8, 'WAVEfmt ')
    header.setUint32(16, 16, true) // length of the format chunk
    header.setUint16(20, 1, true) // integer samples (PCM)
    header.setUint16(22, 1, true) // number of channels
    header.setUint32(24, rate, true)
    header.setUint32(28, 2 * rate, true)
    header.setUint16(32, 2, true)
    header.setUint16(34, 16, true)
    write(36, 'data')
    header.setUint32(40, bytes, true)
    return new Blob([header, ...this.#pieces], { type: 'audio/wav' })
  }
}
