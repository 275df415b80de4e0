// heed: transformer language models inside a web page.
import { browser } from './platform/browser.js'
import { loadModelOn, type Model } from './model.js'
import { askToPersist, modelStoreOn } from './store/model-store.js'
import type { LoadOptions, ModelSource, ModelStore } from './types.js'

/**
 * Loads a GGUF model: from a URL, a File or Blob, a file handle, bytes, a stream of bytes, or, in Node, a
 * path; without a source the small model that comes with the package. The file is read as it arrives and
 * never held whole.
 *
 * Rejects with a HeedError: `invalid-argument`, `network`, `io`, `invalid-file`, `unsupported`,
 * `out-of-memory` (from the file's header, before the rest is fetched), `aborted` or `crashed`.
 */
export async function loadModel(source?: ModelSource, options?: LoadOptions): Promise<Model> {
  const model = await loadModelOn(browser, source, options)
  if (options?.cache) askToPersist()
  return model
}

/** The models that are kept on this machine. */
export const modelStore: ModelStore = modelStoreOn(browser)

export { HeedError, type HeedErrorCode } from './errors.js'
export { similarity } from './similarity.js'
export type { Generation } from './generation.js'
export type { Model } from './model.js'
export type { Session } from './session.js'
export type { Chat } from './conversation.js'
export type {
  ChatEvent, ChatFinishReason, ChatOptions, ChatResult, ChatStep, ChatToolCall, ChatUsage, Tool, ToolRun,
} from './chat/messages.js'
export type { ChatMessage, ChatTool } from './chat/types.js'
export type * from './types.js'
