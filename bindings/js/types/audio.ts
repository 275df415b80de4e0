// The public types of sounds and their transcripts.
import type { WebBlob, WebMediaStream, WebStream } from './web.js'

/**
 * A sound: the bytes of a file; a File or Blob; an AudioBuffer; or samples, from -1 to 1, at `sampleRate` Hz, as an array for one
 * channel or a list of arrays, one per channel. Channels are averaged. Node reads WAV files; a browser also reads what it can
 * decode.
 */
export type Audio = ArrayBuffer | ArrayBufferView | WebBlob | AudioSamples | WebAudioBuffer

export interface AudioSamples {
  sampleRate: number
  data: Float32Array | Float64Array | readonly number[] | readonly (Float32Array | Float64Array | readonly number[])[]
}

/**
 * A sound that arrives while it is transcribed: a MediaStream, such as a microphone's; or pieces of samples of one channel, from -1
 * to 1, at `sampleRate` Hz. Each pass transcribes it from the last settled segment on.
 */
export type LiveAudio = WebMediaStream | { sampleRate: number; data: AsyncIterable<Float32Array> | WebStream }

/** The part of an AudioBuffer that is used, so that the package's types do not require the DOM library. */
export interface WebAudioBuffer {
  readonly sampleRate: number
  readonly numberOfChannels: number
  getChannelData(channel: number): Float32Array
}

export interface TranscriptWord {
  text: string
  /** In seconds. */
  start: number
  end: number
  /** With the option `attention`. */
  attention?: SoundAttention[]
}

/** A decoder head's attention weights over a sound as a word was predicted; for a word of several tokens, their mean. */
export interface SoundAttention {
  layer: number
  head: number
  /** One for each 0.02 s of the sound, from the segment's `windowStart` on; without those of padding, so they sum to 1 or less. */
  weights: Float32Array
}

/** A part of a transcript, about a sentence. */
export interface TranscriptSegment {
  text: string
  /** In seconds. */
  start: number
  end: number
  tokens: number[]
  /** Only with the option `words`. */
  words?: TranscriptWord[]
  /** Where its window of 30 seconds begins, in seconds. */
  windowStart: number
  /** The mean log-probability of the tokens of its window. */
  logprob: number
  /** The probability that nobody speaks in its window. */
  noSpeechProbability: number
  /** The sampling temperature at which the text of its window was plausible. */
  temperature: number
}

export interface Transcript {
  text: string
  segments: TranscriptSegment[]
  /** The code of the language. */
  language: string
  /** The length of the sound that is transcribed, in seconds. */
  duration: number
  finishReason: 'end' | 'abort'
}

/** How much of a sound is transcribed, in seconds. */
export interface TranscribeProgress {
  done: number
  total: number
}
