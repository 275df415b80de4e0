// Files that a loaded model reads besides its own: adapters and control vectors.
import type { Platform } from '../platform/platform.js'
import type { Assets, ModelSource } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import type { Call, Results } from '../wire/protocol.js'
import type { Connection } from './connection.js'
import type { Options } from './options.js'
import { refuse } from './readers.js'
import { openSource } from './source.js'

/** Where the package's own files are, as they were for `loadModel`. */
export interface Place {
  readonly platform: Platform
  readonly assets?: Assets
}

type FileCall = Extract<Call, { type: 'loadAdapter' | 'controlVector' }>

/** Makes a call that reads a file. Fails with the error of the source, if that fails. */
export async function readFile<Type extends FileCall['type']>(
  connection: Connection, { platform, assets }: Place, call: Omit<Extract<FileCall, { type: Type }>, 'request' | 'store'> & { type: Type },
  source: ModelSource, { signal, onProgress, ...options }: Options<'loadAdapter'>,
): Promise<Results[Type]> {
  const { type } = call
  if (source === undefined) throw refuse(`${type}: source: required`)
  if (signal?.aborted) throw HeedError.aborted(signal)
  const opened = openSource(type, source, platform, { ...options, assets })
  const waiting = new Set<number>()  // pulls that have not been answered
  const answer = (pull: number, bytes?: Uint8Array<ArrayBuffer>) => {
    if (waiting.delete(pull)) connection.post({ type: 'chunk', pull, bytes }, bytes && [bytes.buffer])
  }
  let failure: unknown
  const send = async ({ pull, range }: { pull: number, range?: Parameters<NonNullable<typeof opened.next>>[0] }) => {
    waiting.add(pull)
    try {
      answer(pull, await opened.next!(range))
    } catch (error) {
      failure ??= error instanceof HeedError ? error
        : new HeedError('io', `${type}: source: the stream failed: ${(error as Error)?.message ?? error}`, { cause: error })
      answer(pull)  // as if the file ended
    }
  }
  try {
    const whole = { ...call, request: opened.request, store: platform.storeScript(assets) } as unknown as Extract<Call, { type: Type }>
    return await connection.call<Type>(whole, {
      signal,
      onEvent: event => {
        if (event.type === 'pull') void send(event)
        if (event.type === 'progress') onProgress?.(event.progress)
      },
    })
  } catch (error) {
    throw failure ?? error
  } finally {
    opened.cancel?.()
    for (const pull of waiting) answer(pull)
  }
}
