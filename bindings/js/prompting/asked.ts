// Requests to a model's template, as messages between threads. Templates come with models from anywhere, and run as long as their
// budget allows, so they run in a worker (heed-template.js), which can be terminated at any time. It has a port to the engine's
// worker for tokenizing its prompts.
import type { Replies } from '../chat/info.js'
import { TemplateError, type TemplateErrorKind } from '../chat/jinja/error.js'
import type { ChatInfo, ChatMessage, PromptPart, RenderOptions, TemplateOptions } from '../chat/types.js'
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import type { MediaSizes } from './media.js'
import type { ControlMarkers } from './markers.js'

/** A template, and the texts of the model's special tokens. */
export interface NamedTemplate {
  readonly source: string
  readonly tokens: TemplateOptions
  readonly replies: Replies
}

interface Rendering extends NamedTemplate {
  readonly messages: readonly ChatMessage[]
  readonly options: RenderOptions
}

/** Everything that a reply needs, in one message. */
export interface ReplyTask extends Rendering {
  readonly type: 'reply'
  /** Maximum number of tokens of the prompt. */
  readonly mostTokens: number
  /** Whether to leave out the oldest turns of a conversation that is too long. */
  readonly trim: boolean
  /** The id of the token that each text begins with, if the vocabulary adds one. */
  readonly bosId?: number
  /** The images and sounds in the messages. */
  readonly media?: MediaSizes
  /** Whether to determine the texts that end a reply. */
  readonly stops: boolean
  /** The markers of the template's replies. */
  readonly markers: readonly string[]
}

/** A request for a prompt only. */
export interface RenderTask extends Rendering {
  readonly type: 'render'
}

/** A request for the template's capabilities. */
interface InfoTask extends NamedTemplate {
  readonly type: 'info'
}

export type TemplateTask = ReplyTask | RenderTask | InfoTask

interface Results {
  readonly reply: ReplyPrompt
  readonly render: PromptPart[]
  readonly info: ChatInfo
}
export type ResultOf<Task extends TemplateTask> = Results[Task['type']]

export interface ReplyPrompt {
  /** The prompt, as the template printed it. */
  readonly prompt: PromptPart[]
  readonly promptIds: number[]
  /** Whether the tokens begin with one that the template did not print. */
  readonly addsBos: boolean
  /** Number of oldest turns that were left out. */
  readonly trimmedTurns: number
  /** The end of the prompt, for the parser: the beginning of the model's turn, or the existing part of that turn. */
  readonly generationPrompt: string
  /** The texts that end a reply; empty if not requested. */
  readonly stops: readonly string[]
  readonly markers: ControlMarkers
  /** The parts of the messages that the template leaves out, one sentence each. */
  readonly notices: readonly string[]
}

/** An error as data; `kind`, `reason` and `line` belong to a TemplateError. */
export interface TaskFailure {
  readonly code: HeedErrorCode
  readonly message: string
  readonly kind?: TemplateErrorKind
  readonly reason?: string
  readonly line?: number
}

export type TaskAnswer<Task extends TemplateTask = TemplateTask> =
  | { readonly result: ResultOf<Task> }
  | { readonly failure: TaskFailure }

/**
 * Messages from the worker: answers in the order of the tasks, and whether the worker is waiting for the engine rather than running
 * a template.
 */
export type FromTemplates = TaskAnswer | { readonly waits: boolean }

/** Messages to the worker; the first one has its port to the engine's worker. */
export type ToTemplates = TemplateTask | { readonly engine: MessagePort }

/** The result of an answer. Throws the answer's error, as the template would have. */
export function resultOf<Task extends TemplateTask>(answer: TaskAnswer<Task>): ResultOf<Task> {
  if ('result' in answer) return answer.result
  const { code, message, kind, reason, line } = answer.failure
  if (kind === undefined) throw new HeedError(code, message)
  const error = new TemplateError(kind, reason!)
  throw line === undefined ? error : error.at(line)
}
