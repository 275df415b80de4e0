// Sounds as the engine takes them: the samples of one channel, or the bytes of a WAV file, which it reads itself.
import { HeedError } from '../../wire/errors.js'
import type { Sound } from './read-audio.js'

export type Given = { sound: Uint8Array | Float32Array; rate: number }

/**
 * Calls `run` with the sound. Throws the errors of `run`, `io` if the file cannot be read, and `invalid-argument` if it cannot be
 * decoded.
 */
export async function samplesOf<Result>(sound: Sound, run: (given: Given) => Promise<Result>): Promise<Result> {
  if ('channels' in sound) return run({ sound: mean(sound.channels), rate: sound.rate })
  const bytes = 'bytes' in sound ? sound.bytes : await bytesOf(sound.file)
  try {
    return await run({ sound: bytes, rate: 0 })
  } catch (error) {
    const cannotRead = error instanceof HeedError && error.code === 'unsupported' && error.message.startsWith('audio: ')
    if (!cannotRead) throw error
    const decoded = await decode(bytes, error)
    return run({ sound: mean(decoded.channels), rate: decoded.rate })
  }
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (cause) {
    throw new HeedError('io', `audio: the file cannot be read: ${(cause as Error)?.message}`, { cause })
  }
}

/**
 * The rate in Hz that browsers decode to. They convert well to a higher rate but badly to a lower one, so the engine lowers the
 * rate.
 */
const decodedRate = 48_000

/** Decodes with the browser. Throws `refusal`, the engine's error, where there is no OfflineAudioContext. */
async function decode(bytes: Uint8Array, refusal: HeedError): Promise<{ channels: Float32Array[]; rate: number }> {
  const Context = (globalThis as { OfflineAudioContext?: typeof OfflineAudioContext }).OfflineAudioContext
  if (!Context) throw refusal
  try {
    const buffer = await new Context(1, 1, decodedRate).decodeAudioData(bytes.slice().buffer as ArrayBuffer)
    const channels = Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at))
    return { channels, rate: buffer.sampleRate }
  } catch (cause) {
    throw new HeedError('invalid-argument', `audio: cannot be decoded: ${(cause as Error)?.message || cause}`, { cause })
  }
}

/** The mean of all channels. */
function mean(channels: readonly Float32Array[]): Float32Array {
  if (channels.length <= 1) return channels[0] ?? new Float32Array()
  const samples = new Float32Array(channels[0]!.length)
  for (const channel of channels) for (let i = 0; i < samples.length; i++) samples[i]! += channel[i]! / channels.length
  return samples
}
