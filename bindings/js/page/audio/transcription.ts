// One transcription: the segments as they are complete, and the whole transcript.
import type { ModelInfo, Transcript, TranscriptSegment } from '../../types/index.js'
import type { TranscribeParameters } from '../../wire/options.generated.js'
import type { HeedError } from '../../wire/errors.js'
import type { WireSegment } from '../../wire/audio.js'
import type { Connection } from '../connection.js'
import { Feed } from '../feed.js'
import { fetched } from '../later.js'
import type { readOptions } from '../options.js'
import type { LiveSound, Sound } from './read-audio.js'
import type { Given } from './samples.js'

type Transcribed = { segments: WireSegment[]; language: string; done: number; total: number }

const script = () => fetched('audio.js', import('./script.js'))

/**
 * Iterate it for segments as they are complete, `await` it for the transcript, or both. Leaving the loop early ends it. An abort is a normal
 * end: the loop ends, and the transcript's `finishReason` is `abort`.
 */
export class Transcription extends Feed<TranscriptSegment, Transcript> {
  /** @internal Called by Model. `microphone`: the address of heed-microphone.js. */
  constructor(
    connection: Connection,
    info: ModelInfo,
    sound: Sound | LiveSound,
    { onProgress, onInterim, onSamples, signal, ...options }: ReturnType<typeof readOptions<'transcribe'>>,
    microphone: () => string | undefined,
  ) {
    super(async (stop, put, segments) => {
      const { samplesOf, segmentOf, shownHeads, transcribeLive } = await script()
      const shown = shownHeads(options, info)
      const heard = { language: options.language, done: 0, total: 0 }
      const note = ({ language, done, total }: typeof heard) => {
        Object.assign(heard, { language, done, total })
        onProgress?.({ done, total })
      }
      const transcribe = (given: Given, options: TranscribeParameters, onEvent: (event: Transcribed) => void) =>
        connection.call(
          { type: 'transcribe', ...given, options },
          {
            signal: stop,
            keepsResult: true,
            onEvent(event) {
              if (event.type === 'transcribed' && !stop.aborted) onEvent(event)
            },
          },
        )
      const whole = (sound: Sound) =>
        samplesOf(sound, given =>
          transcribe(given, options, event => {
            for (const segment of event.segments) put(segmentOf(segment, event.language, shown))
            note(event)
          }),
        )
      const live = (sound: LiveSound) =>
        transcribeLive(sound, {
          ...{ options, stop, put, onInterim, onSamples, note, microphone },
          async pass(samples, rate, options) {
            const found = { segments: [] as TranscriptSegment[], language: options.language }
            await transcribe({ sound: samples, rate }, options, ({ segments, language }) => {
              found.language = language
              for (const segment of segments) found.segments.push(segmentOf(segment, language, shown))
            })
            return found
          },
        })
      const ended = await ('stream' in sound || 'pieces' in sound ? live(sound) : whole(sound)).then(
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
