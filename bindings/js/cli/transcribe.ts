// heed transcribe: the transcript of a sound, as text, subtitles or JSON.
import { readFileSync } from 'node:fs'
import { HeedError, type TranscribeOptions } from 'heed'
import { toSrt, toVtt } from '../audio/subtitles.js'
import { loadOptions, optionsFrom, readArguments, UsageError } from './arguments.js'
import { type Model, modelOf, withModel } from './files.js'
import { commandOptions, transcribingOptions } from './options.generated.js'
import { progress, write, writeText } from './output.js'

const forms = ['srt', 'vtt', 'json'] as const

function readSound(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new HeedError('io', `${path}: ${(error as Error).message}`)
  }
}

export async function transcribe(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.transcribe.options, 2)
  const source = modelOf(positionals)
  const [, path] = positionals
  if (path === undefined) throw new UsageError('no sound: give a WAV file after the model')
  const chosen = forms.filter(form => values[form])
  if (chosen.length > 1) throw new UsageError(`--${chosen[0]} and --${chosen[1]} cannot be used together`)
  const sound = readSound(path)
  return withModel(source, loadOptions(values), async model => {
    await writeTranscript(model, sound, optionsFrom(values, transcribingOptions), chosen[0])
    return 0
  })
}

async function writeTranscript(model: Model, sound: Uint8Array, given: TranscribeOptions, form?: (typeof forms)[number]) {
  const percent = (done: number, total: number) => Math.floor((done / Math.max(total, 0.01)) * 100)
  const onProgress: TranscribeOptions['onProgress'] = ({ done, total }) => progress(`transcribing: ${percent(done, total)} %`)
  const transcription = model.transcribe(sound, { ...given, onProgress })
  if (form === undefined) {
    for await (const { text } of transcription) {
      progress('')
      writeText(`${text.trim()}\n`)
    }
  }
  const { finishReason: _, ...transcript } = await transcription.result.finally(() => progress(''))
  if (form === 'json') write(`${JSON.stringify(transcript, undefined, 2)}\n`)
  if (form === 'srt') writeText(toSrt(transcript.segments))
  if (form === 'vtt') writeText(toVtt(transcript.segments))
}
