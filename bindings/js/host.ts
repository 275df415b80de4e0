// What the engine worker's handlers work with: the started engine, the call that they answer, and how these wait for each other.
import type { Engine } from './engine.js'
import { HeedError } from './errors.js'
import type { Line } from './line.js'
import type { Call, Results } from './protocol.js'
import type { Port } from './worker.js'
import type { WriteLoop } from './write-loop.js'

export interface Host extends Pick<Port, 'post' | 'yieldToMessages'> {
  engine: Engine
  /** Tokens that one forward call takes. */
  maxBatch: number
  /** All texts that are being written, together. */
  writing: WriteLoop
  /** Calls that read, one after the other, beside those. */
  reading: Line
}

/** A call that is under way. */
export interface CallState {
  id: number
  aborted: boolean
}

/** What the worker does for a call. */
export type Handler<Type extends keyof Results> =
  (host: Host, state: CallState, call: Extract<Call, { type: Type }>) => Results[Type] | Promise<Results[Type]>

/** A handler of a call that reads: it runs when those before it are done. */
export const readingHandler = <Type extends keyof Results>(handle: Handler<Type>): Handler<Type> =>
  (host, state, call) => host.reading.run(async () => {
    checkGoesOn(state)
    return handle(host, state, call)
  })

/**
 * One pass, and a pause for messages. A pass may be interrupted, then it gives nothing: unless that was for this call, it is
 * made again. What it gives must be no view of the engine's memory. Throws `aborted`.
 */
export async function runPass<Result>(
  { engine, yieldToMessages }: Host, state: CallState, pass: () => Result | null | false,
): Promise<Result> {
  for (;;) {
    const result = pass()
    if (result === null || result === false) engine.lowerInterruptFlag()
    await yieldToMessages()
    checkGoesOn(state)
    if (result !== null && result !== false) return result
  }
}

function checkGoesOn({ aborted }: CallState): void {
  if (aborted) throw HeedError.aborted()
}
