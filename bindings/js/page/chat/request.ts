// A chat request: messages and options, checked and copied at the call, and the model or session that replies.
import type { ChatMessage } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import type { WireMedia, WirePrompt } from '../../wire/protocol.js'
import type { Connection } from '../connection.js'
import type { Generation } from '../generation.js'
import type { WithConstraint } from '../with-constraint.js'
import type { Options } from '../options.js'
import type { GenerateRequest } from '../parameters.js'
import type { Renderer } from '../renderer.js'

export interface ChatRequest extends Omit<WithConstraint<Options<'chat'>>, 'signal' | 'template'> {
  readonly seed: number
  readonly info: ModelInfo
  readonly messages: readonly ChatMessage[]
  /** The images and sounds of the messages, by their numbers in the message parts; undefined if there are none. */
  readonly media?: Promise<readonly WireMedia[]>
  /** Whether the model sees the tools. */
  readonly withTools: boolean
  /** The template; undefined if the model has none and none is given. */
  readonly jinja: string | undefined
  /** Runs the template. */
  readonly renderer: Renderer
  /** The connection to the engine that scores `choices`. */
  readonly connection: Connection
}

/** A model or a session, as seen by a chat. */
export interface ChatWriter {
  /** Runs the whole turn: all generations, and the tools between them. */
  turn<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** The generation is wrapped in an object, because awaiting the generation itself would wait for its end. */
  write(prompt: WirePrompt, options: GenerateRequest): Promise<{ generation: Generation }>
  /** Called with true when a tool's function is called, and with false when it has returned, perhaps with a promise. */
  calling?(isCalling: boolean): void
  /** Aborted, with an error as its reason, when the session is disposed of. */
  readonly gone?: AbortSignal
}
