// One transcription: the segments as they are complete, and the whole transcript.
import type { Transcript, TranscribeProgress, TranscriptSegment } from '../../types/index.js'
import type { TranscribeParameters } from '../../wire/options.js'
import type { HeedError } from '../../wire/errors.js'
import type { Connection } from '../connection.js'
import { Feed } from '../feed.js'
import { fetched } from '../later.js'
import type { Sound } from './read-audio.js'

const script = () => fetched('audio.js', import('./script.js'))

/**
 * Iterate it for segments as they are complete, `await` it for the transcript, or both. Leaving the loop early ends it. An abort is a normal
 * end: the loop ends, and the transcript's `finishReason` is `abort`.
 */
export class Transcription extends Feed<TranscriptSegment, Transcript> {
  /** @internal Called by Model. */
  constructor(
    connection: Connection,
    sound: Sound,
    options: TranscribeParameters,
    onProgress?: (progress: TranscribeProgress) => void,
    signal?: AbortSignal,
  ) {
    super(async (stop, put, segments) => {
      const { samplesOf, segmentOf } = await script()
      const heard = { language: options.language, done: 0, total: 0 }
      const run = async (given: { sound: Uint8Array | Float32Array; rate: number }) =>
        connection.call(
          { type: 'transcribe', ...given, options },
          {
            signal: stop,
            keepsResult: true,
            onEvent(event) {
              if (event.type !== 'transcribed' || stop.aborted) return
              Object.assign(heard, { language: event.language, done: event.done, total: event.total })
              for (const segment of event.segments) put(segmentOf(segment, event.language))
              onProgress?.({ done: event.done, total: event.total })
            },
          },
        )
      const ended = await samplesOf(sound, run).then(
        () => true,
        (error: HeedError) => {
          if (error.code === 'aborted' && stop.aborted) return false
          throw error
        },
      )
      return {
        text: segments.map(({ text }) => text).join(''),
        segments: [...segments],
        language: heard.language,
        duration: heard.total,
        finishReason: ended && !stop.aborted ? 'end' : 'abort',
      }
    }, signal)
  }
}
