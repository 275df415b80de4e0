// A loaded model, as its user holds it; the engine runs in a worker of its own.
/// <reference lib="esnext.disposable" preserve="true" />
import { chosen, shapeOf, splitAttention } from './attention.js'
import type { ChatOptions } from './chat/messages.js'
import type { ChatTemplate } from './chat/template.js'
import type { ChatMessage } from './chat/types.js'
import { type Connection, type EngineLease, leaseEngine } from './connection.js'
import { type Chat, openTemplate, startChat, tellsOf } from './conversation.js'
import { HeedError } from './errors.js'
import { Generation, type Write } from './generation.js'
import { pixelsOf } from './image.js'
import {
  checkSource, checkText, generateParameters, readIds, readList, readOptions, readPrompt, readTexts, selection,
} from './options.js'
import type { Endpoint, Platform } from './platform/platform.js'
import { chooseSimd } from './platform/simd.js'
import { randomSeed } from './seed.js'
import { openSession, restoreSession, type Session } from './session.js'
import { type OpenedSource, openSource } from './source.js'
import type {
  Attention, AttentionOptions, Classification, ClassifyOptions, DetokenizeOptions, EmbedImagesOptions, EmbedOptions,
  GenerateOptions, Image, ImageAttention, ImageAttentionOptions, LoadOptions, LoadProgress, LogitsOptions, Memory, ModelInfo,
  ModelSource, Prompt, RerankOptions, TokenizeOptions,
} from './types.js'

/**
 * Calls that overlap run together: texts that are written share their passes, up to `info.parallel` of them, and what is read is
 * read between these passes. What comes out is the same as alone. Where `info.parallel` is 1, calls run one after the other, in
 * the order in which they were made; those with images once these are read.
 */
export class Model {
  readonly info: ModelInfo
  readonly #engine: EngineLease

  /** @internal Made by loadModel. */
  constructor(engine: EngineLease, info: ModelInfo) {
    this.#engine = engine
    this.info = Object.freeze(info)
  }

  get #connection(): Connection {
    return this.#engine.connection
  }

  /**
   * Continues a text, or a list of token ids; a model with an encoder and a decoder (T5) reads it and writes an answer.
   * Iterate what it returns, or `await` it.
   *
   * Throws `invalid-argument` at once for an option that is wrong. The loop and the promise fail with
   * `context-overflow` for a prompt longer than the context, with `unsupported` where the model only embeds, and with
   * `crashed` or `disposed`.
   */
  generate(prompt: Prompt, options: GenerateOptions = {}): Generation {
    const read = readOptions('generate', options)
    const { seed = randomSeed(), signal } = read
    const text = readPrompt('generate', prompt)
    const parameters = generateParameters(read, seed)
    const write: Write = (stop, onToken) => this.#connection.call({ type: 'generate', prompt: text, options: parameters }, {
      signal: stop,
      keepsResult: true,
      onEvent: event => {
        // What the engine made before it heard of the abort is not wanted any more.
        if (event.type === 'token' && !stop.aborted) onToken(event.token)
      },
    })
    return new Generation(write, { seed, signal, attention: parameters.attention, info: this.info })
  }

  /**
   * Answers a conversation as the model's own template writes it: what comes are pieces of text and reasoning, calls of tools and
   * what they gave; the whole is the answer. What a user writes is never read as markup.
   *
   *     const { text } = await model.chat([{ role: 'user', content: 'Tell me a joke.' }])
   *
   * Fails with `unsupported` where the model has no template, with `template` where that refuses the messages, and as `generate`.
   */
  chat(messages: readonly ChatMessage[], options: ChatOptions = {}): Chat {
    return startChat({
      ...tellsOf(this.info),
      tokenize: (prompt, addSpecial) => this.tokenize(prompt, { addSpecial }),
      write: async (ids, generateOptions) => ({ generation: this.generate(ids, generateOptions) }),
    }, messages, options)
  }

  /**
   * The model's template of conversations, to see its prompts and what it supports; or, as of `chat`, another one by its name or as
   * Jinja. Fails with `unsupported` where there is none, and with `template`.
   */
  chatTemplate(template?: string): Promise<ChatTemplate> {
    return openTemplate(this.info, template)
  }

  /**
   * A text of its own that calls go on with, such as a conversation. Fails with `unsupported` where the model does not write, or
   * has an encoder beside its decoder, which reads a text as a whole.
   */
  session(): Promise<Session> {
    return openSession(this.#engine, this.info)
  }

  /**
   * Goes on from a session that was saved: with the same bits as that would have. Fails with `invalid-argument` for bytes that
   * are damaged, or of another model, another `kvCache` or a longer context.
   */
  restore(saved: ArrayBuffer | ArrayBufferView): Promise<Session> {
    return restoreSession(this.#engine, this.info, saved)
  }

  /** The bytes that the model takes now, and the most that it may take. */
  memory(): Promise<Memory> {
    return this.#connection.call({ type: 'memory' })
  }

  /** The token ids of a prompt. */
  async tokenize(prompt: Prompt, options: TokenizeOptions = {}): Promise<number[]> {
    const { addSpecial = true, parseSpecial = false } = readOptions('tokenize', options)
    return this.#connection.call({ type: 'tokenize', prompt: readPrompt('tokenize', prompt), addSpecial, parseSpecial })
  }

  /** The text of token ids. Fails with `invalid-argument` for an id outside the vocabulary. */
  async detokenize(ids: ArrayLike<number>, options: DetokenizeOptions = {}): Promise<string> {
    const { special = false, tidySpaces = false } = readOptions('detokenize', options)
    return this.#connection.call({ type: 'detokenize', ids: readIds('detokenize', ids), special, tidySpaces })
  }

  /**
   * The scores before softmax that the model gives to every token of the vocabulary as the next one:
   * positions x V, row by row. No tokens are added to `ids`. Fails with `context-overflow`,
   * `invalid-argument` or `aborted`.
   */
  async logits(ids: ArrayLike<number>, options: LogitsOptions = {}): Promise<Float32Array> {
    const { positions, signal, ...read } = readOptions('logits', options)
    const source = checkSource('logits', read.source, this.info)
    return this.#connection.call({ type: 'logits', ids: readIds('logits', ids), source, positions }, { signal })
  }

  /**
   * One vector for each text, of `info.width` numbers, or as many as its images' vectors have (CLIP); with pooling `none` one
   * for each of its tokens, in one array. A text may be a list of token ids. Fails with `unsupported` where the model has no encoder, with `context-overflow`,
   * `invalid-argument` or `aborted`.
   */
  async embed(texts: readonly Prompt[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const prompts = readList('embed', 'texts', texts).map(text => readPrompt('embed', text))
    const { addSpecial = true, parseSpecial = false, normalize = false, pooling, signal } = readOptions('embed', options)
    return this.#connection.call({ type: 'embed', prompts, addSpecial, parseSpecial, pooling, normalize }, { signal })
  }

  /**
   * What each token of a text attends to. In a model with an encoder and a decoder, the text is what the decoder writes, after
   * `info.decoderStart`, and `source` what the encoder reads; of the `encoder` alone, it is what that reads. Fails with `context-overflow`,
   * `invalid-argument` or `aborted`.
   */
  async attention(text: Prompt, options: AttentionOptions = {}): Promise<Attention> {
    const prompt = readPrompt('attention', text)
    const read = readOptions('attention', options)
    const { addSpecial = true, parseSpecial = false, signal, of = this.info.generates ? 'decoder' : 'encoder' } = read
    if (of !== 'encoder' && !this.info.generates) {
      throw new HeedError('invalid-argument', `attention: of: ${this.info.architecture} has no decoder`)
    }
    const source = checkSource('attention', read.source, this.info, of)
    const asked = { ...selection(read), of }
    const { tokens, sourceTokens, weights } = await this.#connection.call(
      { type: 'attention', prompt, source, addSpecial, parseSpecial, selection: asked }, { signal })
    return {
      tokens,
      keys: of === 'cross' ? sourceTokens : tokens,
      of,
      ...chosen(asked, shapeOf(this.info, of)),
      weights: splitAttention(weights, asked, shapeOf(this.info, of)),
    }
  }

  /**
   * How well each document answers the query, as a reranker (a BERT with a head for pairs) scores it: the higher the better,
   * before any logistic function. Fails with `unsupported` where the model is none, with `context-overflow` or `aborted`.
   */
  async rerank(query: string, documents: readonly string[], options: RerankOptions = {}): Promise<number[]> {
    checkText('rerank', query)
    const list = readTexts('rerank', 'documents', documents)
    const { signal } = readOptions('rerank', options)
    return this.#connection.call({ type: 'rerank', query, documents: list }, { signal })
  }

  /**
   * One vector for each image, of as many numbers as those of texts where the model knows both (CLIP). Fails with
   * `unsupported` where the model does not see, with `invalid-argument` or `aborted`.
   */
  async embedImages(images: readonly Image[], options: EmbedImagesOptions = {}): Promise<Float32Array[]> {
    const list = readList('embedImages', 'images', images)
    const { normalize = false, pooling, signal } = readOptions('embedImages', options)
    const pixels = await Promise.all(list.map(image => pixelsOf('embedImages', image)))
    return this.#connection.call({ type: 'embedImages', images: pixels, pooling, normalize }, { signal })
  }

  /** The classes that an image most probably belongs to, best first. Fails as `embedImages` does. */
  async classify(image: Image, options: ClassifyOptions = {}): Promise<Classification[]> {
    const { top = 5, signal } = readOptions('classify', options)
    const pixels = await pixelsOf('classify', image)
    const { labels, weights } = await this.#connection.call({ type: 'classify', image: pixels }, { signal })
    return labels.map((label, index) => ({ label, probability: weights[index]! }))
      .sort((a, b) => b.probability - a.probability).slice(0, top)
  }

  /** What each patch of an image, and the image as a whole, attends to. Fails as `embedImages` does. */
  async imageAttention(image: Image, options: ImageAttentionOptions = {}): Promise<ImageAttention> {
    const { signal, ...selected } = readOptions('imageAttention', options)
    const asked = selection(selected)
    const pixels = await pixelsOf('imageAttention', image)
    const { weights } = await this.#connection.call(
      { type: 'imageAttention', image: pixels, selection: asked }, { signal })
    const vision = { layers: this.info.visionLayers, heads: this.info.visionHeads }
    return { patches: this.info.patches, ...chosen(asked, vision), weights: splitAttention(weights, asked, vision) }
  }

  /**
   * Frees the worker, its threads and its memory. Calls under way fail with `disposed`, and so do later ones. A model that is
   * dropped without it is freed at some later time.
   */
  async dispose(): Promise<void> {
    await this.#connection.close(new HeedError('disposed', 'The model was disposed of'))
  }
}

/** `await using model = await loadModel()` disposes of the model at the end of its block. */
export interface Model extends AsyncDisposable {}
if (Symbol.asyncDispose) {
  Object.defineProperty(Model.prototype, Symbol.asyncDispose, { value(this: Model) { return this.dispose() } })
}

/** The one implementation of `loadModel`, on either platform. */
export async function loadModelOn(
  platform: Platform, source?: ModelSource, options: LoadOptions = {},
): Promise<Model> {
  const read = readOptions('loadModel', options)
  const { contextLength, kvCache, memoryLimit, parallel, prefixCache, assets, signal, onProgress } = read
  const { threads = Math.min(platform.cores, 8) } = read
  if (signal?.aborted) throw HeedError.aborted(signal)
  const simd = chooseSimd(read.simd)
  const opened = openSource(source, platform, read)
  const files = platform.engineFiles(simd, assets)
  const engine = leaseEngine(await abortable(platform.startEngine(assets), signal))
  const { connection } = engine
  let isLoading = true
  const abort = () => connection.close(HeedError.aborted(signal))
  const report = (progress: LoadProgress) => {
    try {
      onProgress?.(progress)
    } catch (error) {
      const message = `loadModel: onProgress failed: ${(error as Error)?.message}`
      connection.close(new HeedError('invalid-argument', message, { cause: error }))
    }
  }
  signal?.addEventListener('abort', abort)
  try {
    const { info, interruptFlag } = await connection.call(
      {
        type: 'load', request: opened.request, ...files, store: platform.storeScript(assets),
        options: { threads, contextLength, kvCache, memoryLimit, parallel, prefixCache },
      },
      {
        onEvent: event => {
          if (event.type === 'progress') report(event.progress)
          if (event.type === 'pull') push(opened, connection, () => isLoading)
        },
      })
    connection.ready({ interruptFlag, inOrder: info.parallel === 1 })
    return new Model(engine, { ...info, simd })
  } catch (error) {
    connection.close(HeedError.from(error))
    opened.cancel?.(error)
    throw error
  } finally {
    isLoading = false
    opened.cancel?.()
    signal?.removeEventListener('abort', abort)
  }
}

/** An engine that is starting, unless that is aborted before. */
function abortable(starting: Promise<Endpoint>, signal?: AbortSignal): Promise<Endpoint> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(HeedError.aborted(signal))
      starting.then(endpoint => endpoint.terminate(), () => {})
    }
    signal?.addEventListener('abort', abort)
    starting.then(endpoint => { if (!signal?.aborted) resolve(endpoint) }, reject)
      .finally(() => signal?.removeEventListener('abort', abort))
  })
}

/** Sends the next chunk; a source that fails ends the load. */
async function push(opened: OpenedSource, connection: Connection, isLoading: () => boolean): Promise<void> {
  try {
    const bytes = await opened.next!()
    connection.post({ type: 'chunk', bytes }, bytes && [bytes.buffer])
  } catch (error) {
    if (!isLoading()) return  // the model was whole before
    const message = `The stream of the model failed: ${(error as Error)?.message ?? error}`
    connection.close(error instanceof HeedError ? error : new HeedError('io', message, { cause: error }))
  }
}
