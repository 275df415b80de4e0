// Runs a model's templates for chats, in a worker that can be terminated, if the platform has workers.
import {
  type NamedTemplate,
  type ReplyPrompt,
  type ReplyTask,
  type ResultOf,
  resultOf,
  type TemplateTask,
} from '../../prompting/asked.js'
import { markersOf, repliesOf } from '../../chat/replies.js'
import type { ModelInfo } from '../../types/index.js'
import type { WebAbortSignal } from '../../types/web.js'
import { HeedError } from '../../wire/errors.js'
import type { Renderer } from '../renderer.js'

/** A template and the texts of the model's special tokens. Throws `unsupported` if the model has no template and none is given. */
export function named({ bosToken, eosToken }: ModelInfo, jinja: string | undefined): NamedTemplate {
  if (jinja === undefined) throw new HeedError('unsupported', 'chat: the model has no chat template; give a `template`')
  return { source: jinja, tokens: { bosToken: bosToken?.text, eosToken: eosToken?.text }, replies: repliesOf(jinja) }
}

/** Runs a task and returns its result. Throws the errors of the template, and of the renderer. */
export const done = async <Task extends TemplateTask>(
  task: Task,
  renderer: Renderer,
  signal?: WebAbortSignal,
): Promise<ResultOf<Task>> => resultOf(await renderer.run(task, signal))

/** The template of a chat. Once the chat is aborted, prompts are empty, and a prompt that is being rendered is abandoned. */
export interface RunningTemplate {
  readonly source: string
  /** Renders and tokenizes the prompt of a reply. Throws `template`, and the errors of the engine. */
  prompt(task: Omit<ReplyTask, 'type' | 'markers' | keyof NamedTemplate>): Promise<ReplyPrompt>
}

/** The template that a chat runs. Throws `unsupported` if the model has none. */
export function runningTemplate(
  info: ModelInfo,
  jinja: string | undefined,
  renderer: Renderer,
  signal: WebAbortSignal,
): RunningTemplate {
  const template = named(info, jinja)
  const none = { begins: new Map(), texts: new Map(), ids: new Map() }
  const nothing: ReplyPrompt = {
    prompt: [],
    promptIds: [],
    addsBos: false,
    trimmedTurns: 0,
    generationPrompt: '',
    stops: [],
    markers: none,
    notices: [],
  }
  const markers = markersOf(template.source)
  return {
    source: template.source,
    async prompt(task) {
      try {
        return signal.aborted ? nothing : await done({ type: 'reply', ...template, markers, ...task }, renderer, signal)
      } catch (error) {
        if (signal.aborted) return nothing
        throw error
      }
    },
  }
}
