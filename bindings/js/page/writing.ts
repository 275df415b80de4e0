// Runs a generation in the engine, and passes on what it reports.
import type { GenerateOptions } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import type { Call, Results } from '../wire/protocol.js'
import type { Connection } from './connection.js'
import type { Write } from './generation.js'
import { textImages } from './text-images.js'

type GenerateCall = Extract<Call, { type: 'generate' }>

/**
 * Runs a generation to its result; after an abort, this is the result so far. `before`: the number of tokens in the session before
 * the prompt.
 */
export async function written(
  connection: Connection,
  call: GenerateCall,
  signal: WebAbortSignal,
  [onToken, onImages]: [...(Parameters<Write> extends [unknown, ...infer Rest] ? Rest : never)],
  { onProgress, onUnmasked }: Pick<GenerateOptions, 'onProgress' | 'onUnmasked'>,
  before = 0,
): Promise<Results['generate']> {
  const result = await connection.call(call, {
    signal,
    keepsResult: true,
    onEvent: event => {
      if (event.type === 'images') onImages(textImages(event.images, before))
      if (signal.aborted) return // drops what the engine did before it received the abort
      if (event.type === 'read') onProgress?.({ done: event.done, total: event.total })
      if (event.type === 'unmasked') onUnmasked?.(event.step)
      if (event.type === 'token') onToken(event.token)
    },
  })
  // only now: if the tab were closed before this, the end of the answer would be lost
  if (result.answer) await connection.call({ type: 'forget', name: result.answer }).catch(() => {})
  return result
}
