// What is asked of a model's template, as messages between threads. A template comes with a model from anyone and runs as long as its
// budget allows, so it runs in a worker of its own (heed-template.js), which can be ended at any time.
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import { TemplateError, type TemplateErrorKind } from './jinja/index.js'
import { ChatTemplate, promptText } from './template.js'
import type { ChatInfo, ChatMessage, PromptPart, RenderOptions, TemplateOptions } from './types.js'

/** A template with the texts of a model's tokens. */
export interface NamedTemplate {
  readonly source: string
  readonly tokens: TemplateOptions
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

export type TaskAnswer<Task extends TemplateTask = TemplateTask> = { readonly result: ResultOf<Task> } | { readonly failure: TaskFailure }

const known = new Map<string, ChatTemplate>()

/** A template from a cache of parsed ones. Throws `template`. */
function knownTemplate({ source, tokens }: NamedTemplate): ChatTemplate {
  const key = JSON.stringify([source, tokens])
  const template = known.get(key) ?? new ChatTemplate(source, tokens)
  if (known.size > 8) known.clear()
  known.set(key, template)
  return template
}

/** Does a task. Nothing is thrown: errors are answers. */
export function answerTask<Task extends TemplateTask>(task: Task): TaskAnswer<Task> {
  try {
    return { result: resultOfTask(task, knownTemplate(task)) as ResultOf<Task> }
  } catch (error) {
    const { code, message, kind, reason, line } = HeedError.from(error) as HeedError & Partial<TemplateError>
    return { failure: { code, message, kind, reason, line } }
  }
}

function resultOfTask(task: TemplateTask, template: ChatTemplate): ResultOf<TemplateTask> {
  if (task.type === 'info') return template.info
  const { messages, options } = task
  const prompt = template.render(messages, options)
  if (task.type === 'render') return prompt
  const [whole, before] = [promptText(prompt), textBefore(template, messages, options)]
  const generationPrompt = whole.startsWith(before) ? whole.slice(before.length) : ''
  return { prompt, generationPrompt, stops: task.stops ? template.stops : [] }
}

/** The prompt without the model's turn. */
function textBefore(template: ChatTemplate, messages: readonly ChatMessage[], options: RenderOptions): string {
  const earlier = options.continueFinal ? messages.slice(0, -1) : messages
  return promptText(template.render(earlier, { ...options, continueFinal: false, addGenerationPrompt: false }))
}

/** The result of an answer. Throws its error, as the template would have. */
export function resultOf<Task extends TemplateTask>(answer: TaskAnswer<Task>): ResultOf<Task> {
  if ('result' in answer) return answer.result
  const { code, message, kind, reason, line } = answer.failure
  if (kind === undefined) throw new HeedError(code, message)
  const error = new TemplateError(kind, reason!)
  throw line === undefined ? error : error.at(line)
}
