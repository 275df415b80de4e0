// heed/prompt-api: LanguageModel, the Prompt API of the browsers, over any model that Heed runs.
import { languageModelOver } from './language-model.js'
import type { LanguageModelConstructor, LanguageModelOptions } from './types.js'

/**
 * A class `LanguageModel` over a model that is given, or that its first `create` loads.
 *
 *     const LanguageModel = createLanguageModel({ source: '/model.gguf' })
 *     const session = await LanguageModel.create({ initialPrompts: [{ role: 'system', content: 'Be brief.' }] })
 *     for await (const text of session.promptStreaming('Why is the sky blue?')) console.log(text)
 *
 * What it throws are the exceptions of the Prompt API; the errors of Heed are their causes.
 */
export const createLanguageModel = (options: LanguageModelOptions = {}): LanguageModelConstructor => languageModelOver(options)

/**
 * Has `LanguageModel` be there, as in a browser that brings it: one that is there already stays. Gives whichever is there.
 *
 *     install(globalThis, { source: '/model.gguf' })
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
