// heed/task-apis: Summarizer, Writer, Rewriter, Translator and LanguageDetector, the browsers' APIs for tasks, for any model that
// Heed runs.
import { define } from '../browser-ai/define.js'
import { checkChat } from '../browser-ai/chat-options.js'
import { SharedModel } from '../browser-ai/shared-model.js'
import { languageDetectorOver } from './language-detector.js'
import type { Over } from './task.js'
import type { InstallOptions, TaskAPIs, TaskOptions } from './types.js'
import { rewriterOver, summarizerOver, translatorOver, writerOver } from './writing.js'

const classes = {
  Summarizer: summarizerOver,
  Writer: writerOver,
  Rewriter: rewriterOver,
  Translator: translatorOver,
  LanguageDetector: languageDetectorOver,
}

/**
 * The five classes for a given model, or for a source that the first `create` loads. They throw the exceptions of the platform;
 * their `cause` is Heed's error. The quality of the results depends on the model.
 *
 * @example
 * const { Summarizer, Translator } = createTaskAPIs({ source: '/model.gguf' })
 * const summarizer = await Summarizer.create({ type: 'tldr', format: 'plain-text' })
 * console.log(await summarizer.summarize(article))
 */
export function createTaskAPIs({ languages, chat = {}, ...load }: TaskOptions = {}): TaskAPIs {
  const over: Over = {
    shared: new SharedModel(load),
    languages: languages && Intl.getCanonicalLocales([...languages]),
    chat: checkChat(chat, 'temperature', 'topK'),
  }
  return Object.fromEntries(Object.entries(classes).map(([name, make]) => [name, make(over)])) as unknown as TaskAPIs
}

/**
 * Defines the five classes, and returns them. If the browser has its own, that one is still used for the options that it is
 * available for, and the given model for the rest; with `replace`, the given model is always used.
 *
 * @example
 * install(globalThis, { source: '/model.gguf' })
 */
export function install(target: object = globalThis, { replace = false, ...options }: InstallOptions = {}): TaskAPIs {
  if (typeof replace !== 'boolean') throw new TypeError('install: replace: expected true or false')
  const ours = createTaskAPIs(options)
  return Object.fromEntries(
    Object.entries(ours).map(([name, one]) => [name, define(target, name, replace, () => one)]),
  ) as unknown as TaskAPIs
}

export type * from './types.js'
