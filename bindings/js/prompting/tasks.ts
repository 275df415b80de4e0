// Executes the tasks of asked.ts.
import { PromptTemplate } from '../chat/prompts.js'
import type { TemplateError } from '../chat/jinja/error.js'
import { HeedError } from '../wire/errors.js'
import type { FromTemplates, NamedTemplate, ResultOf, TaskAnswer, TemplateTask, ToTemplates } from './asked.js'
import { replyPrompt } from './reply-prompt.js'
import { type Tokenize, tokenizeOver } from './tokenize.js'

/** The template worker: handles each message, one after the other. */
export function serveTemplates(post: (message: FromTemplates) => void): (message: ToTemplates) => void {
  let tokenize: Tokenize
  let last: Promise<void> = Promise.resolve()
  return message => {
    if ('engine' in message) tokenize = tokenizeOver(message.engine, waits => post({ waits }))
    else last = last.then(async () => post(await answerTask(message, tokenize)))
  }
}

const known = new Map<string, PromptTemplate>()

/** A template from a cache of parsed ones. Throws `template`. */
function knownTemplate({ source, tokens, replies }: NamedTemplate): PromptTemplate {
  const key = JSON.stringify([source, tokens])
  const template = known.get(key) ?? new PromptTemplate(source, tokens, replies)
  if (known.size > 8) known.clear()
  known.set(key, template)
  return template
}

/** Performs a task. Never throws: errors are answers. */
async function answerTask<Task extends TemplateTask>(task: Task, tokenize: Tokenize): Promise<TaskAnswer<Task>> {
  try {
    return { result: (await resultOfTask(task, knownTemplate(task), tokenize)) as ResultOf<Task> }
  } catch (error) {
    const { code, message, kind, reason, line } = HeedError.from(error) as HeedError & Partial<TemplateError>
    return { failure: { code, message, kind, reason, line } }
  }
}

function resultOfTask(
  task: TemplateTask,
  template: PromptTemplate,
  tokenize: Tokenize,
): ResultOf<TemplateTask> | Promise<ResultOf<TemplateTask>> {
  switch (task.type) {
    case 'info':
      return template.info
    case 'render':
      return template.render(task.messages, task.options)
    case 'reply':
      return replyPrompt(template, task, tokenize)
  }
}
