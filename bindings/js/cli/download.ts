// heed download: stores a model for later use, or resumes an interrupted download.
import { modelStore } from 'heed'
import { readArguments, UsageError } from './arguments.js'
import { hubOption } from './hub.js'
import { commandOptions } from './options.generated.js'
import { progress, tell, writeText } from './output.js'
import { bytesText } from './stored.js'

export async function download(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.download.options, 1)
  const [source] = positionals
  if (source === undefined)
    throw new UsageError('no source: give a URL, hf:OWNER/REPOSITORY:Q4_K_M or hf:OWNER/REPOSITORY/FILE.gguf')
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  let first: { at: number; loaded: number } | undefined
  const stored = await modelStore
    .download(source, {
      ...hubOption(values),
      ...(values.reload && { cache: 'reload' }),
      signal: stop.signal,
      onProgress({ loaded, total, notice }) {
        if (notice) tell(notice)
        const now = performance.now()
        first ??= { at: now, loaded }
        const seconds = (now - first.at) / 1000
        const rate = seconds > 1 ? (loaded - first.loaded) / seconds : 0
        const left = total && rate > 0 ? `, ${secondsText((total - loaded) / rate)} left` : ''
        const share = total ? `${Math.floor((100 * loaded) / total)} % of ${bytesText(total)}` : bytesText(loaded)
        progress(`downloading: ${share}${rate > 0 ? `, ${bytesText(rate)}/s` : ''}${left}`)
      },
    })
    .catch((error: Error) => {
      if (stop.signal.aborted) return undefined
      throw error
    })
    .finally(() => progress(''))
  if (!stored) {
    tell('paused: the same command goes on')
    return 130
  }
  writeText(values.json ? `${JSON.stringify(stored, undefined, 2)}\n` : `${stored.source}  ${bytesText(stored.bytes)}\n`)
  return 0
}

const secondsText = (seconds: number) =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
