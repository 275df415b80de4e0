// The types of audio.transcriptions.
import type { WebBlob } from '../../types/web.js'
import type { RequestOptions } from './types.js'

export interface TranscriptionCreateParams {
  /** A WAV file; in a browser, also any sound file that the browser can decode. */
  file: WebBlob
  model?: string
  /** The code of the language. Default: it is detected. */
  language?: string | null
  /** A text that the model takes for what has been said before. */
  prompt?: string | null
  /** Default: `json`. */
  response_format?: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt' | null
  /** From 0 to 1. Default: 0, and higher temperatures where the text is not plausible. */
  temperature?: number | null
  /** The times that `verbose_json` contains. Default: segments' times. */
  timestamp_granularities?: ('word' | 'segment')[] | null
  stream?: false | null
}

export interface OpenAITranscription {
  text: string
  usage: { type: 'duration'; seconds: number }
}

export interface OpenAITranscriptionVerbose {
  task: 'transcribe'
  /** The name of the language in English, in small letters. */
  language: string
  duration: number
  text: string
  segments?: OpenAITranscriptionSegment[]
  words?: { word: string; start: number; end: number }[]
  usage: { type: 'duration'; seconds: number }
}

export interface OpenAITranscriptionSegment {
  id: number
  /** The start of its window, in hundredths of a second. */
  seek: number
  start: number
  end: number
  text: string
  tokens: number[]
  temperature: number
  avg_logprob: number
  /** The ratio by which zlib compresses its window's text. */
  compression_ratio: number
  no_speech_prob: number
}

/** The signatures of `create`. */
export interface Transcribe {
  (params: TranscriptionCreateParams & { response_format: 'text' | 'srt' | 'vtt' }, options?: RequestOptions): Promise<string>
  (
    params: TranscriptionCreateParams & { response_format: 'verbose_json' },
    options?: RequestOptions,
  ): Promise<OpenAITranscriptionVerbose>
  (params: TranscriptionCreateParams & { response_format?: 'json' | null }, options?: RequestOptions): Promise<OpenAITranscription>
}
