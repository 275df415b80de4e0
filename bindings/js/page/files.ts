// Additional files of a model: adapters, control vectors and a projector.
import type { Platform } from '../platform/platform.js'
import type { Assets, ModelSource } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { KeptRange, ModelRequest } from '../wire/model-request.js'
import type { Connection } from './connection.js'
import type { Options } from './options.js'
import { type OpenedSource, openSource, type SourceOptions } from './source.js'

/** The location of the package's own files, as for `loadModel`. */
export interface Place {
  readonly platform: Platform
  readonly assets?: Assets
}

type CallOptions = NonNullable<Parameters<Connection['call']>[1]>
type FileOptions = Partial<Options<'loadAdapter'>> & Pick<SourceOptions, 'perhaps' | 'crossOriginStorage'>

/** Opens a file beside the model. Throws as `openSource` does, and `aborted`. */
export function openFile(
  name: string,
  source: ModelSource,
  { signal, ...options }: FileOptions,
  { platform, assets }: Place,
): OpenedSource {
  if (source === undefined) throw refuse(`${name}: source: required`)
  if (signal?.aborted) throw HeedError.aborted(signal)
  return openSource(name, source, platform, { ...options, assets })
}

/** Makes a call with `run` while the engine pulls chunks of the opened file; fails with the source's error if reading it fails. */
export async function readFile<Result>(
  name: string,
  opened: OpenedSource,
  { signal, onProgress }: FileOptions,
  connection: Connection,
  { platform, assets }: Place,
  run: (file: { request: ModelRequest; store?: string }, options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const waiting = new Set<number>() // pulls that have not been answered
  const answer = (pull: number, bytes?: Uint8Array<ArrayBuffer>) => {
    if (waiting.delete(pull)) connection.post({ type: 'chunk', pull, bytes }, bytes && [bytes.buffer])
  }
  let failure: unknown
  const send = async ({ pull, range }: { pull: number; range?: KeptRange }) => {
    waiting.add(pull)
    try {
      answer(pull, await opened.next!(range))
    } catch (error) {
      failure ??=
        error instanceof HeedError
          ? error
          : new HeedError('io', `${name}: source: the stream failed: ${(error as Error)?.message ?? error}`, { cause: error })
      answer(pull) // no bytes, as at the end of the file: the engine stops reading
    }
  }
  try {
    return await run(
      { request: opened.request, store: platform.workerScript('heed-store.js', assets) },
      {
        signal,
        onEvent: event => {
          if (event.type === 'pull') void send(event)
          if (event.type === 'progress') onProgress?.(event.progress)
        },
      },
    )
  } catch (error) {
    opened.cancel?.(error)
    throw failure ?? error
  } finally {
    opened.cancel?.()
    for (const pull of waiting) answer(pull)
  }
}
