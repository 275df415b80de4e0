// heed/prompt-api: LanguageModel, the browsers' Prompt API, for any model that Heed runs.
import { define } from '../browser-ai/define.js'
import { languageModelOver } from './language-model.js'
import type { InstallOptions, LanguageModelConstructor, LanguageModelOptions } from './types.js'

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
 * Defines `LanguageModel`, and returns it. If the browser has its own, that one is still used for the options that it is available
 * for, and the given model for the rest; with `replace`, the given model is always used.
 *
 * @example
 * install(globalThis, { source: '/model.gguf' })
 */
export function install(
  target: object = globalThis,
  { replace = false, ...options }: InstallOptions = {},
): LanguageModelConstructor {
  if (typeof replace !== 'boolean') throw new TypeError('install: replace: expected true or false')
  return define(target, 'LanguageModel', replace, () => createLanguageModel(options))
}

export type * from './types.js'
