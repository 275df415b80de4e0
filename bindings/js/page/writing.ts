// Runs a generation in the engine, and passes on what it reports.
import type { GenerateOptions } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import type { Call, Results } from '../wire/protocol.js'
import type { Connection } from './connection.js'
import type { Write } from './generation.js'
import { textImages } from './text-images.js'

type GenerateCall = Extract<Call, { type: 'generate' }>

/** After an abort, the result is that of the text so far. `before`: the tokens of the session's text before the prompt. */
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
  // only now: had the tab been closed before, nobody would have the end of the answer
  if (result.answer) await connection.call({ type: 'forget', name: result.answer }).catch(() => {})
  return result
}
