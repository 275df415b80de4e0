// The objects that the engine worker's handlers use: the engine, the state of their call, and the loop and the queue that order
// calls.
import type { StorePlace } from '../store/folder.js'
import { HeedError } from '../wire/errors.js'
import type { Line } from '../wire/line.js'
import type { WireEdit } from '../wire/changes.js'
import type { Outline } from '../wire/constraint.js'
import type { Call, FileBeside, ProjectorReads, Results, WritingParameters } from '../wire/protocol.js'
import type { Constraints } from './constraints/constraints.js'
import type { Engine, EngineEdit } from './engine.js'
import type { Extra } from './extra.js'
import type { Handles } from './handles.js'
import type { Port } from './port.js'
import type { WriteLoop } from './write-loop.js'

/** The part of a call that says which file to read. */
export type FileCall = Pick<Extract<Call, { type: 'load' }>, 'request' | 'store'>

export interface Host extends Pick<Port, 'post' | 'yieldToMessages'> {
  engine: Engine
  /** Set to 1 by the page, so that the engine checks for messages soon. */
  interrupt: Uint8Array
  /** The info from loading the model; `engine.info()` would build it again, with all templates. */
  info: Results['load']['info']
  /** Engine objects of current calls. */
  handles: Handles
  /** The texts and answers that are kept; set if the model is loaded with `keep`. */
  kept?: Kept
  /** The beginning of the model's file, with its header, if the file could be read only once. */
  header?: readonly Uint8Array[]
  /** Maximum number of tokens per forward call. */
  maxBatch: number
  /** The engine's number of each session, by the page's number. */
  sessions: Map<number, number>
  /** The engine's number of each adapter. */
  adapters: Map<string, number>
  /** Adds the extra module to the engine. May fail as `constraints` and `lab` do. */
  extra: Extra
  /** `constraints` and `lab` are loaded on demand. A failure may be temporary: `network`, `io` or `unsupported`. */
  constraints(): Promise<Constraints>
  lab(): Promise<Lab>
  /** Runs all generations together. */
  writing: WriteLoop
  /** Runs calls that process texts, one at a time, in between the generations. */
  reading: Line
  /** Loads a file beside the model into the engine. Throws `aborted`, and the errors of opening the file and of the engine. */
  readBeside(what: FileBeside, state: CallState, file: FileCall): Promise<ProjectorReads | undefined>
  /** Calls `use` with all bytes of a file. Throws `aborted`, and the errors of opening the file and of `use`. */
  useFile<Result>(state: CallState, file: FileCall, use: (bytes: Uint8Array, name: string) => Result): Promise<Result>
}

/** A text that begins, or goes on, as `Engine.begin` takes it. */
export interface Beginning {
  ids: ArrayLike<number>
  /** The engine's number of the session, or 0 without a session. */
  session: number
  whole: boolean
  options: WritingParameters
  constraint?: Outline
  /** The name of the unfinished answer that this text writes again. */
  resumes?: string
}

/** A text whose tokens are kept on the disk. */
export interface KeptCall {
  /** The engine's number of the session that the text must continue. */
  session: number
  /** Tokens that the text is expected to begin with, from an unfinished answer. */
  expected: readonly number[]
  token(id: number): void
  /** Must be called when the text has ended; `isWritten`: whether the engine has read it. Resolves to the name for `forget`. */
  end(isWritten: boolean): Promise<string | undefined>
}

/** Keeps what a model reads and writes, on the disk. */
export interface Kept {
  begin(text: Beginning): Promise<KeptCall>
  unfinished(): Promise<Results['unfinished']>
  forget(name: string): Promise<void>
  close(): Promise<void>
}

/** The script that contains `Kept`. */
export type KeptScript = {
  open(engine: Engine, place: StorePlace, rest: () => Promise<void>, mostBytes?: number): Promise<Kept>
}

/** A pending call. */
export interface CallState {
  id: number
  aborted: boolean
  /** The engine's number of the call's generation. */
  generation?: number
}

/** Runs one type of call in the worker. */
export type Handler<Type extends keyof Results> = (
  host: Host,
  state: CallState,
  call: Extract<Call, { type: Type }>,
) => Results[Type] | Promise<Results[Type]>

export type LabCall =
  | 'trace'
  | 'hidden'
  | 'lens'
  | 'score'
  | 'attribute'
  | 'sweep'
  | 'points'
  | 'unembed'
  | 'multiply'
  | 'weights'
  | 'readFile'
  | 'imageAttention'

/** The handlers that inspect a model, and functions that few calls need. */
export type Lab = { readonly [Type in LabCall]: Handler<Type> } & {
  /** Generates with a model that writes by unmasking. */
  unmask: Handler<'generate'>
  /** An edit for the engine. Throws as `changesOf` does. */
  engineEdits(host: Host, state: CallState, edit: WireEdit): Promise<EngineEdit[]>
}

/** A handler for a call that reads; these calls run in order, one at a time. */
export const readingHandler =
  <Type extends keyof Results>(handle: Handler<Type>): Handler<Type> =>
  (host, state, call) =>
    host.reading.run(async () => {
      checkGoesOn(state)
      return handle(host, state, call)
    })

/**
 * Runs one pass, then lets messages in. An interrupted pass returns no result; it is repeated unless this call was aborted. The
 * result must not be a view of the engine's memory. Throws `aborted`.
 */
export async function runPass<Result>(
  { yieldToMessages }: Host,
  state: CallState,
  pass: () => Result | null | false,
): Promise<Result> {
  for (;;) {
    const result = pass()
    await yieldToMessages()
    checkGoesOn(state)
    if (result !== null && result !== false) return result
  }
}

/** Lets messages in between parts of work that does not run a pass of the engine. The returned function throws `aborted`. */
export const resting =
  ({ interrupt, yieldToMessages }: Host, state: CallState) =>
  async (): Promise<void> => {
    Atomics.store(interrupt, 0, 0) // a pending message has arrived by now, and is handled here
    await yieldToMessages()
    checkGoesOn(state)
  }

/** Throws `aborted` if the call has been aborted. */
export function checkGoesOn({ aborted }: CallState): void {
  if (aborted) throw HeedError.aborted()
}
