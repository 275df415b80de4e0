// The tasks of asked.ts, done.
import { HeedError } from '../wire/errors.js'
import type { NamedTemplate, ResultOf, TaskAnswer, TemplateTask } from './asked.js'
import type { TemplateError } from './jinja/error.js'
import { promptText } from './prompt-text.js'
import { PromptTemplate, readsArguments } from './prompts.js'
import type { ChatMessage, RenderOptions } from './types.js'

const known = new Map<string, PromptTemplate>()

/** A template from a cache of parsed ones. Throws `template`. */
function knownTemplate({ source, tokens, replies }: NamedTemplate): PromptTemplate {
  const key = JSON.stringify([source, tokens])
  const template = known.get(key) ?? new PromptTemplate(source, tokens, replies)
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

function resultOfTask(task: TemplateTask, template: PromptTemplate): ResultOf<TemplateTask> {
  if (task.type === 'info') return template.info
  const { messages } = task
  if (task.type === 'render') return template.render(messages, task.options)
  const options = { ...task.options, [readsArguments]: true }
  const prompt = template.render(messages, options)
  const [whole, before] = [promptText(prompt), textBefore(template, messages, options)]
  const generationPrompt = whole.startsWith(before) ? whole.slice(before.length) : ''
  return { prompt, generationPrompt, stops: task.stops ? template.stops : [] }
}

/** The prompt without the model's turn. */
function textBefore(template: PromptTemplate, messages: readonly ChatMessage[], options: RenderOptions): string {
  const earlier = options.continueFinal ? messages.slice(0, -1) : messages
  return promptText(template.render(earlier, { ...options, continueFinal: false, addGenerationPrompt: false }))
}
