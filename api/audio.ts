// The options of calls that process sounds.
import { group } from './define.js'
import { boolean, callback, integer, oneOf, signal, special, text } from './kinds.js'

export const TranscribeOptions = group(
  'TranscribeOptions',
  {},
  {
    language: {
      kind: text,
      doc: "The code of the language that is spoken, such as `'de'`; or `'auto'`: it is detected in the first 30 seconds.",
      default: 'auto',
      always: true,
      engine: 'language',
      argument: { group: 'transcribing', value: 'CODE|auto', read: 'text' },
    },
    task: {
      kind: oneOf('transcribe', 'translate'),
      doc: 'Write what is said, or a translation to English.',
      default: 'transcribe',
      engine: 'task',
      argument: { group: 'transcribing', value: 'transcribe|translate', read: 'text' },
    },
    words: {
      kind: boolean,
      doc: 'Find the time of each word, which takes one more pass for each window of 30 seconds.',
      default: false,
      engine: 'words',
      argument: { group: 'transcribing', read: 'flag' },
    },
    attention: {
      kind: special('recorded(attentionSelection)', 'boolean | AttentionSelection', 'Selection'),
      doc: 'Give each word, as `words` does, and with it what heads of the decoder attended to in the sound as it was predicted. It takes memory: with all heads of the smallest models, up to 30 MB for each window of 30 seconds.',
      byDefault: 'false',
      engine: 'attention',
    },
    timestamps: {
      kind: boolean,
      doc: 'Let the model write the times of segments; otherwise each window of 30 seconds is a segment.',
      default: true,
      engine: 'timestamps',
    },
    prompt: {
      kind: text,
      doc: 'A text that the model takes for what has been said before: it follows its spelling of names, its punctuation and its style.',
      engine: 'prompt',
      argument: { group: 'transcribing', value: 'TEXT', read: 'text' },
    },
    suppressNonSpeech: {
      kind: boolean,
      doc: 'Never write symbols that mark other sounds than speech, such as brackets and notes.',
      default: false,
      engine: 'suppress_non_speech',
    },
    temperature: {
      kind: special('temperatures', 'number | readonly number[]', 'number[]'),
      doc: 'The temperature; or several, which are tried in turn as long as the text of a window is not plausible.',
      byDefault: '0, then 0.2, 0.4, 0.6, 0.8 and 1',
      engine: 'temperatures',
      argument: { group: 'transcribing', value: 'N', read: 'number' },
    },
    seed: {
      kind: integer(0),
      doc: 'Seed of the draws at temperatures above 0: the same seed gives the same text.',
      default: 0,
      engine: 'seed',
      argument: { group: 'transcribing', value: 'N', read: 'number' },
    },
    onProgress: {
      kind: callback('(progress: TranscribeProgress) => void'),
      doc: 'Called whenever more of the sound is transcribed.',
      here: true,
    },
    onInterim: {
      kind: callback('(segments: TranscriptSegment[]) => void'),
      doc: 'For a sound that is still arriving: called with the segments after the settled ones, which may change as more of it arrives.',
      here: true,
    },
    onSamples: {
      kind: callback('(samples: Float32Array) => void'),
      doc: 'For a sound that is still arriving: called with its samples as they arrive, to keep or draw what is heard; of a MediaStream, 16,000 a second.',
      here: true,
    },
    signal: { kind: signal, doc: 'Ends the transcription, with the segments that it has.', here: true },
  },
)
