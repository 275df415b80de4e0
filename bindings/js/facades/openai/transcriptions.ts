// audio.transcriptions.create: the transcript of a sound, as JSON, text or subtitles.
import { toSrt, toVtt } from '../../audio/subtitles.js'
import type { Transcript, TranscriptSegment } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { Setting } from './directory.js'
import { ParameterError } from './errors.js'
import { list, number, oneOf, only, readRequest, type Reader, text } from './read.js'
import type {
  OpenAITranscription,
  OpenAITranscriptionSegment,
  OpenAITranscriptionVerbose,
  TranscriptionCreateParams,
} from './transcriptions-types.js'
import type { RequestOptions } from './types.js'

const file: Reader<Blob> = (value, param) => {
  if (value instanceof Blob) return value
  throw new ParameterError(param, 'expected a File or a Blob')
}

const parameters = {
  file,
  model: text,
  language: text,
  prompt: text,
  response_format: oneOf('json', 'text', 'srt', 'verbose_json', 'vtt'),
  temperature: number(0, 1),
  timestamp_granularities: list(oneOf('word', 'segment')),
  stream: only('', false),
} satisfies Record<keyof TranscriptionCreateParams, Reader<unknown>>

export async function createTranscription(
  { directory }: Setting,
  body: unknown,
  options?: RequestOptions,
): Promise<string | OpenAITranscription | OpenAITranscriptionVerbose> {
  const read = readRequest(parameters, body, options)
  const { file: sound, response_format: form = 'json', timestamp_granularities: times = ['segment'], temperature } = read
  if (!sound) throw new ParameterError('file', 'missing')
  if (read.timestamp_granularities && form !== 'verbose_json')
    throw new ParameterError('timestamp_granularities', 'needs response_format "verbose_json"')
  const { model } = directory.find(read.model)
  const words = times.includes('word')
  const transcript = await model.transcribe(sound, {
    words,
    signal: read.signal,
    ...(read.language && { language: read.language }),
    ...(read.prompt && { prompt: read.prompt }),
    ...(temperature && { temperature }), // as in OpenAI's API, 0 also tries higher ones where the text is not plausible
  })
  if (transcript.finishReason === 'abort') throw HeedError.aborted(read.signal ?? undefined)
  const { segments, duration } = transcript
  if (form === 'srt') return toSrt(segments)
  if (form === 'vtt') return toVtt(segments)
  const written = transcript.text.trim()
  if (form === 'text') return `${written}\n`
  const usage = { type: 'duration' as const, seconds: Math.ceil(duration) }
  if (form === 'json') return { text: written, usage }
  return {
    task: 'transcribe',
    language: nameOf(transcript),
    duration,
    text: written,
    ...(times.includes('segment') && {
      segments: await Promise.all(segments.map((segment, id) => described(segment, id, segments))),
    }),
    ...(words && {
      words: segments.flatMap(({ words = [] }) => words.map(({ text: word, start, end }) => ({ word, start, end }))),
    }),
    usage,
  }
}

/** Whisper writes jw for Javanese. */
function nameOf({ language }: Transcript): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language === 'jw' ? 'jv' : language)
  return (name ?? language).toLowerCase()
}

async function described(
  { start, end, text, tokens, temperature, logprob, noSpeechProbability, windowStart }: TranscriptSegment,
  id: number,
  all: readonly TranscriptSegment[],
): Promise<OpenAITranscriptionSegment> {
  const ofWindow = all.filter(one => one.windowStart === windowStart).map(one => one.text)
  return {
    id,
    seek: Math.round(windowStart * 100),
    start,
    end,
    text,
    tokens,
    temperature,
    avg_logprob: logprob,
    compression_ratio: await compressionRatio(ofWindow.join('')),
    no_speech_prob: noSpeechProbability,
  }
}

async function compressionRatio(written: string): Promise<number> {
  const bytes = new TextEncoder().encode(written)
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return bytes.length / (await new Response(stream).arrayBuffer()).byteLength
}
