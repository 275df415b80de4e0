// The templates of models: to use in this thread, and as a chat runs them.
import { answerTask, knownTemplate, type RenderedPrompt, resultOf } from '../../chat/tasks.js'
import type { ChatTemplate } from '../../chat/template.js'
import type { ChatMessage, RenderOptions, TemplateOptions } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { Renderer } from '../renderer.js'

interface Named {
  readonly source: string
  readonly tokens: TemplateOptions
}

/** A template with a model's tokens. Throws `unsupported` if the model has none and none is given. */
function named({ bosToken, eosToken }: ModelInfo, jinja: string | undefined): Named {
  if (jinja === undefined) throw new HeedError('unsupported', 'chat: the model has no chat template; give a `template`')
  return { source: jinja, tokens: { bosToken: bosToken?.text, eosToken: eosToken?.text } }
}

/** @internal The template of a model. Throws `unsupported` and `template`. */
export function templateOf(info: ModelInfo, jinja: string | undefined): ChatTemplate {
  const { source, tokens } = named(info, jinja)
  return knownTemplate(source, tokens)
}

/** The template of a chat. Once the chat is aborted, prompts are empty; one that is being rendered is given up. */
export interface RunningTemplate {
  readonly source: string
  /** Throws `template`. */
  render(messages: readonly ChatMessage[], options: RenderOptions, stops: boolean): Promise<RenderedPrompt>
}

/** Without a renderer, it runs in this thread. Throws `unsupported`. */
export function runningTemplate(info: ModelInfo, jinja: string | undefined, renderer: Renderer | undefined, signal: AbortSignal): RunningTemplate {
  const template = named(info, jinja)
  const nothing: RenderedPrompt = { prompt: [], generationPrompt: '', stops: [] }
  return {
    source: template.source,
    async render(messages, options, stops) {
      const task = { ...template, messages, options, stops }
      try {
        return signal.aborted ? nothing : resultOf(renderer ? await renderer.run(task, signal) : answerTask(task))
      } catch (error) {
        if (signal.aborted) return nothing
        throw error
      }
    },
  }
}
