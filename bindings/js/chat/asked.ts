// What is asked of a model's template, as messages between threads. A template comes with a model from anyone and runs as long as its
// budget allows, so it runs in a worker of its own (heed-template.js), which can be ended at any time.
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import type { Replies } from './info.js'
import { TemplateError, type TemplateErrorKind } from './jinja/error.js'
import type { ChatInfo, ChatMessage, PromptPart, RenderOptions, TemplateOptions } from './types.js'

/** A template with the texts of a model's tokens. */
export interface NamedTemplate {
  readonly source: string
  readonly tokens: TemplateOptions
  readonly replies: Replies
}

interface Rendering extends NamedTemplate {
  readonly messages: readonly ChatMessage[]
  readonly options: RenderOptions
}

/** All that a reply needs, in one message. */
interface ReplyTask extends Rendering {
  readonly type: 'reply'
  /** Whether to find out what ends a reply. */
  readonly stops: boolean
}

/** A prompt alone. */
export interface RenderTask extends Rendering {
  readonly type: 'render'
}

/** What the template supports. */
interface InfoTask extends NamedTemplate {
  readonly type: 'info'
}

export type TemplateTask = ReplyTask | RenderTask | InfoTask

interface Results {
  readonly reply: RenderedPrompt
  readonly render: PromptPart[]
  readonly info: ChatInfo
}
export type ResultOf<Task extends TemplateTask> = Results[Task['type']]

export interface RenderedPrompt {
  readonly prompt: PromptPart[]
  /** Its end, for the parser: the start of the model's turn, or the part of the turn that already exists. */
  readonly generationPrompt: string
  /** Empty if they were not asked for. */
  readonly stops: readonly string[]
}

/** An error as data; `kind`, `reason` and `line` are of a TemplateError. */
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

/** The result of an answer. Throws its error, as the template would have. */
export function resultOf<Task extends TemplateTask>(answer: TaskAnswer<Task>): ResultOf<Task> {
  if ('result' in answer) return answer.result
  const { code, message, kind, reason, line } = answer.failure
  if (kind === undefined) throw new HeedError(code, message)
  const error = new TemplateError(kind, reason!)
  throw line === undefined ? error : error.at(line)
}
