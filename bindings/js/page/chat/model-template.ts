// The class ModelTemplate: a chat template of a model in the public API.
import type { NamedTemplate } from '../../prompting/asked.js'
import { parsedElsewhere } from '../../chat/prompts.js'
import { ChatTemplate } from '../../chat/template.js'
import type { ChatInfo, ChatMessage, PromptPart, RenderOptions } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import type { WebAbortSignal } from '../../types/web.js'
import type { PageEngine } from '../connection.js'
import type { ReadRendering } from './rendering.js'
import { done, named } from './templates.js'

/**
 * A chat template of a model; its file is not trusted. `info` is determined before the object is made. `renderAsync` runs the
 * template in a worker; `render` and `generationPrompt`, as in any `ChatTemplate`, run it in the calling thread.
 */
export class ModelTemplate extends ChatTemplate {
  readonly #template: NamedTemplate
  readonly #info: ChatInfo
  readonly #engine: PageEngine
  readonly #read: ReadRendering

  /** @internal Created by openTemplate. */
  constructor(template: NamedTemplate, info: ChatInfo, engine: PageEngine, read: ReadRendering) {
    super(template.source, Object.assign({ [parsedElsewhere]: true }, template.tokens)) // it was parsed when `info` was determined
    this.#template = template
    this.#info = info
    this.#engine = engine
    this.#read = read
  }

  /** What the template supports, such as tools and reasoning. */
  override get info(): ChatInfo {
    return this.#info
  }

  /**
   * The prompt of a conversation, as `render` returns it, but rendered in a worker: the calling thread continues, and an abort
   * stops the template. Prefer it for models that you do not trust; chats do the same. In `heed/in-thread`, which has no workers,
   * the template runs as with `render`. Messages and options are copied at the call.
   *
   * Rejects with a HeedError: `template` and `invalid-argument` as `render` throws, `template` also for a template that takes too
   * long, `aborted`, `disposed` once the model has been disposed of, and `network` if the worker's script cannot be loaded.
   *
   * @example
   * const template = await model.chatTemplate()
   * const prompt = await template.renderAsync(messages, { think: false }, { signal: AbortSignal.timeout(500) })
   * const { length } = await model.tokenize(prompt, { addSpecial: false })
   */
  renderAsync(
    messages: readonly ChatMessage[],
    options: RenderOptions = {},
    stop: { signal?: WebAbortSignal } = {},
  ): Promise<PromptPart[]> {
    return this.#read(
      (given, signal) => done({ type: 'render', ...this.#template, ...given }, this.#engine.renderer, signal),
      messages,
      options,
      stop,
    )
  }
}

/** @internal The template of a model. Throws `unsupported`, `template`, `disposed` and `network`. */
export async function templateOf(
  info: ModelInfo,
  jinja: string | undefined,
  engine: PageEngine,
  read: ReadRendering,
): Promise<ModelTemplate> {
  const template = named(info, jinja)
  return new ModelTemplate(template, await done({ type: 'info', ...template }, engine.renderer), engine, read)
}
