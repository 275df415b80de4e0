// Reads the sounds that calls are given: copies the samples or bytes, since the caller may change them later, or takes a live
// stream.
import type { AudioSamples, WebAudioBuffer } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'
import { isList, isObject, matched, Mismatch } from '../readers.js'

/** Channels of samples at a rate, the bytes of a file, or a file. */
export type Sound = { channels: Float32Array[]; rate: number } | { bytes: Uint8Array } | { file: Blob }

/** A sound that arrives while it is transcribed. */
export type LiveSound = { stream: MediaStream } | { pieces: Pieces; rate: number }
type Pieces = AsyncIterable<Float32Array> | ReadableStream<Float32Array>

const most = 64 // number of channels

const isOfAudioBuffer = (value: object): value is WebAudioBuffer => 'getChannelData' in value && 'numberOfChannels' in value

const kinds = 'audio: bytes, a file, an AudioBuffer, a MediaStream or { sampleRate, data }'

/** Reads a sound. Throws `invalid-argument`, naming the call, if the value is not audio. */
export const readAudio = (call: string, audio: unknown): Sound | LiveSound =>
  matched(call, audio, (): Sound | LiveSound => {
    if (Object.prototype.toString.call(audio) === '[object ArrayBuffer]')
      return { bytes: new Uint8Array(audio as ArrayBuffer).slice() }
    if (ArrayBuffer.isView(audio)) return { bytes: new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength).slice() }
    if (!isObject(audio)) throw new Mismatch(kinds)
    if ('getAudioTracks' in audio) return { stream: withSound(audio as unknown as MediaStream) }
    if ('arrayBuffer' in audio) return { file: audio as unknown as Blob }
    if (isOfAudioBuffer(audio)) {
      const channels = Array.from({ length: Math.min(audio.numberOfChannels, most) }, (_, at) => audio.getChannelData(at).slice())
      return { channels, rate: rateOf(audio.sampleRate) }
    }
    const { sampleRate, data } = audio as unknown as AudioSamples
    if (isObject(data) && ('getReader' in data || Symbol.asyncIterator in data))
      return { pieces: data as unknown as Pieces, rate: rateOf(sampleRate) }
    if (!isList(data)) throw new Mismatch(kinds)
    const lists = (isList(data[0]) ? Array.from(data as ArrayLike<unknown>) : [data]) as ArrayLike<number>[]
    if (lists.length > most || lists.some(list => !isList(list) || list.length !== lists[0]!.length))
      throw new Mismatch(`at most ${most} channels of the same length`)
    return { channels: lists.map(list => Float32Array.from(list)), rate: rateOf(sampleRate) }
  })

/** As `readAudio`, for calls that need the whole sound: rejects live sounds. */
export function readSound(call: string, audio: unknown): Sound {
  const sound = readAudio(call, audio)
  if ('stream' in sound || 'pieces' in sound) throw refuse(`${call}: audio that arrives can only be transcribed`)
  return sound
}

function withSound(stream: MediaStream): MediaStream {
  if (stream.getAudioTracks().length > 0) return stream
  throw new Mismatch('a MediaStream with an audio track')
}

/** Checks a sample rate coarsely: the engine decides which rates it converts. */
function rateOf(rate: unknown): number {
  if (typeof rate === 'number' && rate >= 1 && rate <= 1e9) return Math.round(rate)
  throw new Mismatch('a sampleRate in Hz')
}
