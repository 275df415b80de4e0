// heed/prompt-api: LanguageModel, the browsers' Prompt API, for any model that Heed runs.
import { languageModelOver } from './language-model.js'
import type { LanguageModelConstructor, LanguageModelOptions } from './types.js'

/**
 * A class `LanguageModel` for a given model, or for a source that its first `create` loads. It throws the exceptions of the
 * Prompt API; their `cause` is Heed's error.
 *
 * @example
 * const LanguageModel = createLanguageModel({ source: '/model.gguf' })
 * const session = await LanguageModel.create({ initialPrompts: [{ role: 'system', content: 'Be brief.' }] })
 * for await (const text of session.promptStreaming('Why is the sky blue?')) console.log(text)
 */
export const createLanguageModel = (options: LanguageModelOptions = {}): LanguageModelConstructor => languageModelOver(options)

/**
 * Defines `LanguageModel` unless the browser already has it, and returns it.
 *
 * @example
 * install(globalThis, { source: '/model.gguf' })
 */
export function install(target: object = globalThis, options: LanguageModelOptions = {}): LanguageModelConstructor {
  const place = target as { LanguageModel?: LanguageModelConstructor }
  if (!place.LanguageModel) {
    Object.defineProperty(target, 'LanguageModel', {
      value: createLanguageModel(options), configurable: true, enumerable: false, writable: true,
    })
  }
  return place.LanguageModel!
}

export type * from './types.js'
