// heed: transformer language models inside a web page.
import { decodeImageOn } from './page/image.js'
import { loadModelOn } from './page/load-model.js'
import { askToPersist, modelStoreOn } from './page/model-store.js'
import { lab } from './page/lab/lab.js'
import type { Model } from './page/model.js'
import { browser } from './platform/browser.js'
import type {
  CompareOptions,
  DecodeImageOptions,
  Image,
  LoadOptions,
  ModelComparison,
  ModelSource,
  ModelStore,
  Pixels,
  Prompt,
} from './types/index.js'

/**
 * Loads a GGUF model from a URL, a hub, a File or Blob, a file handle, bytes, a Response, a stream of bytes or, in Node, a path;
 * without a source, the small bundled model. The file is read as it arrives and never held in memory as a whole.
 *
 * Rejects with a HeedError: `invalid-argument`, `network`, `io`, `invalid-file`, `unsupported`, `out-of-memory` (detected from the
 * file's header, before the rest is fetched), `aborted` or `crashed`.
 *
 * @example
 * const model = await loadModel('hf:OWNER/REPOSITORY:Q4_K_M', { cache: true })
 * const { text } = await model.generate('Once upon a time')
 * await model.dispose()
 */
export async function loadModel(source?: ModelSource, options?: LoadOptions): Promise<Model> {
  const model = await loadModelOn(browser, source, options)
  if (options?.cache) askToPersist()
  return model
}

/**
 * The pixels of an image, to decode the image once for several calls: each call that gets a file decodes the file again. Rejects
 * with `invalid-argument`, `out-of-memory`, `aborted` and, for a format that is not read here, `unsupported`.
 *
 * @example
 * const image = await decodeImage(file)
 */
export const decodeImage: (image: Image, options?: DecodeImageOptions) => Promise<Pixels> = decodeImageOn(browser)

/**
 * How far a second model is from a first one on the same tokens: the KL divergence of their next tokens, how often they agree, and
 * how far their states are apart after each layer. Meant for two quantizations of one model; the finer quantization comes first.
 *
 * Rejects with `invalid-argument` if their vocabularies differ, and as `Model.logits` does.
 *
 * @example
 * const { meanKl, agreement, residual } = await compareModels(q8, q4, ['Once upon a time'])
 */
export async function compareModels(
  a: Model,
  b: Model,
  texts: readonly Prompt[],
  options?: CompareOptions,
): Promise<ModelComparison> {
  return (await lab()).compareModels(a, b, texts, options)
}

/** The models stored on this machine. */
export const modelStore: ModelStore = modelStoreOn(browser)

export { HeedError, type HeedErrorCode } from './wire/errors.js'
export { similarity } from './page/similarity.js'
export type { Generation } from './page/generation.js'
export type { Transcription } from './page/audio/transcription.js'
export type { Model } from './page/model.js'
export type { Session } from './page/session.js'
export type { Unfinished } from './page/unfinished.js'
export type { Chat } from './page/chat/conversation.js'
export type { ModelTemplate } from './page/chat/model-template.js'
export type { ChatOptions } from './page/chat/chat-options.generated.js'
export type { TypedChatOptions } from './page/chat/typed-options.js'
export type {
  ChatEvent,
  ChatFinishReason,
  ChatResult,
  ChatStep,
  ChatToolCall,
  ChatUsage,
  Tool,
  ToolRun,
} from './page/chat/messages.js'
export type { ChatMessage, ChatTool } from './chat/types.js'
export type * from './types/index.js'
export type * from './types/schema.js'
