// What a chat asks of its model's template, as messages between threads. A template comes with a model from anyone and runs as long as
// its budget allows, so that of a chat runs in a worker of its own (heed-template.js), which can be ended at any time. One message asks
// for all that a reply needs.
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import { TemplateError, type TemplateErrorKind } from './jinja/index.js'
import { ChatTemplate, promptText } from './template.js'
import type { ChatMessage, PromptPart, RenderOptions, TemplateOptions } from './types.js'

export interface TemplateTask {
  readonly source: string
  readonly tokens: TemplateOptions
  readonly messages: readonly ChatMessage[]
  readonly options: RenderOptions
  /** Whether to find out what ends a reply. */
  readonly stops: boolean
}

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

export type TaskAnswer = { readonly result: RenderedPrompt } | { readonly failure: TaskFailure }

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
export function answerTask({ source, tokens, messages, options, stops }: TemplateTask): TaskAnswer {
  try {
    const template = knownTemplate(source, tokens)
    const prompt = template.render(messages, options)
    const [whole, before] = [promptText(prompt), textBefore(template, messages, options)]
    const generationPrompt = whole.startsWith(before) ? whole.slice(before.length) : ''
    return { result: { prompt, generationPrompt, stops: stops ? template.stops : [] } }
  } catch (error) {
    const { code, message, kind, reason, line } = HeedError.from(error) as HeedError & Partial<TemplateError>
    return { failure: { code, message, kind, reason, line } }
  }
}

/** The prompt without the model's turn. */
function textBefore(template: ChatTemplate, messages: readonly ChatMessage[], options: RenderOptions): string {
  const earlier = options.continueFinal ? messages.slice(0, -1) : messages
  return promptText(template.render(earlier, { ...options, continueFinal: false, addGenerationPrompt: false }))
}

/** The result of an answer. Throws its error, as the template would have. */
export function resultOf(answer: TaskAnswer): RenderedPrompt {
  if ('result' in answer) return answer.result
  const { code, message, kind, reason, line } = answer.failure
  if (kind === undefined) throw new HeedError(code, message)
  const error = new TemplateError(kind, reason!)
  throw line === undefined ? error : error.at(line)
}
