// What a chat asks of its model's template, as messages between threads. A template comes with a model from anyone and runs as long as
// its budget allows, so that of a chat runs in a worker of its own (heed-template.js), which can be ended at any time.
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import { TemplateError, type TemplateErrorKind } from './jinja/index.js'
import { ChatTemplate } from './template.js'
import type { ChatMessage, PromptPart, RenderOptions, TemplateOptions } from './types.js'

export interface TaskResults {
  render: PromptPart[]
  stops: readonly string[]
}

export type TemplateTask = { readonly source: string, readonly tokens: TemplateOptions } & (
  | { readonly type: 'render', readonly messages: readonly ChatMessage[], readonly options: RenderOptions }
  | { readonly type: 'stops' })

/** An error as data; `kind`, `reason` and `line` are of a TemplateError. */
export interface TaskFailure {
  readonly code: HeedErrorCode
  readonly message: string
  readonly kind?: TemplateErrorKind
  readonly reason?: string
  readonly line?: number
}

export type TaskAnswer = { readonly result: TaskResults[keyof TaskResults] } | { readonly failure: TaskFailure }

const known = new Map<string, ChatTemplate>()

/** A template from a cache of parsed ones. Throws `template`. */
export function knownTemplate(source: string, tokens: TemplateOptions): ChatTemplate {
  const key = JSON.stringify([source, tokens])
  const template = known.get(key) ?? new ChatTemplate(source, tokens)
  if (known.size > 8) known.clear()
  known.set(key, template)
  return template
}

/** Does a task. Nothing is thrown: errors are answers. */
export function answerTask(task: TemplateTask): TaskAnswer {
  try {
    const template = knownTemplate(task.source, task.tokens)
    return { result: task.type === 'stops' ? template.stops : template.render(task.messages, task.options) }
  } catch (error) {
    const { code, message, kind, reason, line } = HeedError.from(error) as HeedError & Partial<TemplateError>
    return { failure: { code, message, kind, reason, line } }
  }
}

/** The result of an answer. Throws its error, as the template would have. */
export function resultOf<Type extends keyof TaskResults>(answer: TaskAnswer): TaskResults[Type] {
  if ('result' in answer) return answer.result as TaskResults[Type]
  const { code, message, kind, reason, line } = answer.failure
  if (kind === undefined) throw new HeedError(code, message)
  const error = new TemplateError(kind, reason!)
  throw line === undefined ? error : error.at(line)
}
