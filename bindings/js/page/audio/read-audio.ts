// Reads the argument of `transcribe`: a copy of its samples or bytes, since the caller may change them later.
import type { Audio, AudioSamples, WebAudioBuffer } from '../../types/index.js'
import { isList, isObject, matched, Mismatch } from '../readers.js'

/** Channels of samples at a rate, the bytes of a file, or a file. */
export type Sound = { channels: Float32Array[]; rate: number } | { bytes: Uint8Array } | { file: Blob }

const most = 64 // channels

const isOfAudioBuffer = (value: object): value is WebAudioBuffer => 'getChannelData' in value && 'numberOfChannels' in value

/** Throws `invalid-argument` if the value is not audio. */
export const readAudio = (audio: Audio): Sound =>
  matched('transcribe', audio, (): Sound => {
    if (Object.prototype.toString.call(audio) === '[object ArrayBuffer]')
      return { bytes: new Uint8Array(audio as ArrayBuffer).slice() }
    if (ArrayBuffer.isView(audio)) return { bytes: new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength).slice() }
    if (!isObject(audio)) throw new Mismatch('audio: bytes, a file, an AudioBuffer or { sampleRate, data }')
    if ('arrayBuffer' in audio) return { file: audio as unknown as Blob }
    if (isOfAudioBuffer(audio)) {
      const channels = Array.from({ length: Math.min(audio.numberOfChannels, most) }, (_, at) => audio.getChannelData(at).slice())
      return { channels, rate: rateOf(audio.sampleRate) }
    }
    const { sampleRate, data } = audio as unknown as AudioSamples
    if (!isList(data)) throw new Mismatch('audio: bytes, a file, an AudioBuffer or { sampleRate, data }')
    const lists = (isList(data[0]) ? Array.from(data as ArrayLike<unknown>) : [data]) as ArrayLike<number>[]
    if (lists.length > most || lists.some(list => !isList(list) || list.length !== lists[0]!.length))
      throw new Mismatch(`at most ${most} channels of the same length`)
    return { channels: lists.map(list => Float32Array.from(list)), rate: rateOf(sampleRate) }
  })

/** The engine says which rates it converts. */
function rateOf(rate: unknown): number {
  if (typeof rate === 'number' && rate >= 1 && rate <= 1e9) return Math.round(rate)
  throw new Mismatch('a sampleRate in Hz')
}
