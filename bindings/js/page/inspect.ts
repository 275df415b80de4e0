// The calls that read the inside of a model (inspectable.generated.ts): from their arguments to the worker's answer.
import type { AttentionOf, ModelInfo, Prompt } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import { refuse } from '../wire/errors.js'
import type { Asked, Results, Call as WireCall, WirePrompt } from '../wire/protocol.js'
import { checkSource } from './arguments.js'
import { calls } from './calls.generated.js'
import type { PageEngine } from './connection.js'
import { type Options, readOptions } from './options.js'
import { readPicturePrompt, whenRead } from './pictures.js'
import type { OfText } from './text-images.js'

export interface Inspected {
  readonly engine: PageEngine
  readonly info: ModelInfo
}

type Reading = keyof typeof calls

/** The engine's answer, the options and the model, from which the result of a call is made. */
export interface Inspection<Call extends Reading> {
  /** The answer to the call's own message, or to `trace` if it has none. */
  readonly answer: OfText<Results[Call extends keyof Results ? Call : 'trace']>
  /** The options, with the kind of attention that the call is about. */
  readonly read: Omit<Options<Call>, 'of'> & { of: AttentionOf }
  readonly info: ModelInfo
}

/** All options of these calls that select what to read. */
interface Wanted {
  signal?: WebAbortSignal
  of?: AttentionOf
  source?: WirePrompt
  layers?: number[]
  heads?: number[]
  points?: string[]
  layer?: number
  head?: number
  query?: number
}

/** The kind of attention that a call asks for, or the model's own. */
function kindOf(call: string, of: AttentionOf | undefined, { generates, decoderStart, architecture }: ModelInfo): AttentionOf {
  if (of !== undefined && of !== 'encoder' && !generates) throw refuse(`${call}: of: ${architecture} has no decoder`)
  if (of === 'cross' && decoderStart === undefined) throw refuse(`${call}: of: ${architecture} has no encoder beside its decoder`)
  return of ?? (generates ? 'decoder' : 'encoder')
}

/** The message of a call, without its prompt; `of`: the kind of attention, for a call about attention. */
function messageOf(call: Reading, what: Asked['what'] | undefined, read: Wanted, info: ModelInfo, of?: AttentionOf) {
  if (!what) return { type: call, ...read }
  const { layer, head, query = -1, layers, heads, points, ...rest } = read
  const asked = { what, of, layers, heads, points }
  if (of) rest.source = checkSource(call, read.source, info, of)
  const type = call === 'attention' ? call : 'trace'
  if (layer === undefined) return { type, call, asked, ...rest }
  return { type, call, asked: { ...asked, layers: [layer], heads: [head] }, positions: [query], ...rest }
}

/** `what`: what to read at points of the pass; absent for a call with a message of its own. */
export async function inspect<Call extends Reading>(
  { engine, info }: Inspected,
  call: Call,
  text: Prompt,
  options: unknown,
  what?: Asked['what'],
): Promise<Inspection<Call>> {
  const { signal, ...read } = readOptions(call, options) as Wanted
  const given = readPicturePrompt(call, text, info, engine, signal)
  const of = Object.hasOwn(calls[call], 'source') ? kindOf(call, read.of, info) : undefined
  const message = messageOf(call, what, read, info, of)
  const answer = await whenRead(given, prompt =>
    engine.connection.call({ ...message, prompt } as Extract<WireCall, { type: 'trace' }>, { signal }),
  )
  return { answer, read: { ...read, of }, info } as unknown as Inspection<Call>
}
