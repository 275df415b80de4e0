// A loaded model, as its user holds it; the engine runs in a worker of its own.
import { chosen, shapeOf, splitAttention } from './attention.js'
import { Connection } from './connection.js'
import { HeedError } from './errors.js'
import { Generation } from './generation.js'
import { pixelsOf } from './image.js'
import { checkIds, checkOptions, checkPrompt, checkSource, checkText, generateParameters, selection } from './options.js'
import type { Endpoint, Platform } from './platform/platform.js'
import { chooseSimd } from './platform/simd.js'
import { type OpenedSource, openSource } from './source.js'
import type {
  Attention, AttentionOptions, Classification, ClassifyOptions, DetokenizeOptions, EmbedImagesOptions, EmbedOptions,
  GenerateOptions, Image, ImageAttention, ImageAttentionOptions, LoadOptions, LogitsOptions, ModelInfo, ModelSource, Prompt,
  RerankOptions, TokenizeOptions,
} from './types.js'

/** Calls that overlap run one after the other, in order; those with images once these are read. */
export class Model {
  readonly info: ModelInfo
  readonly #connection: Connection

  /** @internal Made by loadModel. */
  constructor(connection: Connection, info: ModelInfo) {
    this.#connection = connection
    this.info = Object.freeze(info)
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
    checkOptions('generate', options)
    const checked = checkPrompt('generate', prompt)
    const { seed = randomSeed(), signal } = options
    const model = { connection: this.#connection, info: this.info }
    return new Generation(model, checked, generateParameters(options, seed), signal)
  }

  /** The token ids of a text. */
  async tokenize(text: string, options: TokenizeOptions = {}): Promise<number[]> {
    checkText('tokenize', text)
    checkOptions('tokenize', options)
    const { addSpecial = true, parseSpecial = false } = options
    return this.#connection.call({ type: 'tokenize', text, addSpecial, parseSpecial })
  }

  /** The text of token ids. Fails with `invalid-argument` for an id outside the vocabulary. */
  async detokenize(ids: ArrayLike<number>, options: DetokenizeOptions = {}): Promise<string> {
    const checked = checkIds('detokenize', ids)
    checkOptions('detokenize', options)
    const { special = false, tidySpaces = false } = options
    return this.#connection.call({ type: 'detokenize', ids: checked, special, tidySpaces })
  }

  /**
   * The scores before softmax that the model gives to every token of the vocabulary as the next one:
   * positions x V, row by row. No tokens are added to `ids`. Fails with `context-overflow`,
   * `invalid-argument` or `aborted`.
   */
  async logits(ids: ArrayLike<number>, options: LogitsOptions = {}): Promise<Float32Array> {
    checkOptions('logits', options)
    const { positions, signal } = options
    const source = checkSource('logits', options.source, this.info)
    return this.#connection.call({ type: 'logits', ids: checkIds('logits', ids), source, positions }, { signal })
  }

  /**
   * One vector for each text, of `info.width` numbers, or as many as its images' vectors have (CLIP); with pooling `none` one
   * for each of its tokens, in one array. A text may be a list of token ids. Fails with `unsupported` where the model has no encoder, with `context-overflow`,
   * `invalid-argument` or `aborted`.
   */
  async embed(texts: readonly Prompt[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    if (!Array.isArray(texts)) throw new HeedError('invalid-argument', 'embed: expected an array of texts')
    const prompts = texts.map(text => checkPrompt('embed', text))
    checkOptions('embed', options)
    const { addSpecial = true, parseSpecial = false, normalize = false, pooling, signal } = options
    return this.#connection.call({ type: 'embed', prompts, addSpecial, parseSpecial, pooling, normalize }, { signal })
  }

  /**
   * What each token of a text attends to. In a model with an encoder and a decoder, the text is what the decoder writes, after
   * `info.decoderStart`, and `source` what the encoder reads; of the `encoder` alone, it is what that reads. Fails with `context-overflow`,
   * `invalid-argument` or `aborted`.
   */
  async attention(text: Prompt, options: AttentionOptions = {}): Promise<Attention> {
    const prompt = checkPrompt('attention', text)
    checkOptions('attention', options)
    const { addSpecial = true, parseSpecial = false, signal, of = this.info.generates ? 'decoder' : 'encoder' } = options
    const source = checkSource('attention', options.source, this.info, of)
    const asked = { ...selection(options), of }
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
    if (!Array.isArray(documents)) throw new HeedError('invalid-argument', 'rerank: expected an array of documents')
    documents.forEach(document => checkText('rerank', document))
    checkOptions('rerank', options)
    return this.#connection.call({ type: 'rerank', query, documents: [...documents] }, { signal: options.signal })
  }

  /**
   * One vector for each image, of as many numbers as those of texts where the model knows both (CLIP). Fails with
   * `unsupported` where the model does not see, with `invalid-argument` or `aborted`.
   */
  async embedImages(images: readonly Image[], options: EmbedImagesOptions = {}): Promise<Float32Array[]> {
    if (!Array.isArray(images)) throw new HeedError('invalid-argument', 'embedImages: expected an array of images')
    checkOptions('embedImages', options)
    const { normalize = false, pooling, signal } = options
    const pixels = await Promise.all(images.map(image => pixelsOf('embedImages', image)))
    return this.#connection.call({ type: 'embedImages', images: pixels, pooling, normalize }, { signal })
  }

  /** The classes that an image most probably belongs to, best first. Fails as `embedImages` does. */
  async classify(image: Image, options: ClassifyOptions = {}): Promise<Classification[]> {
    checkOptions('classify', options)
    const { top = 5, signal } = options
    const pixels = await pixelsOf('classify', image)
    const { labels, weights } = await this.#connection.call({ type: 'classify', image: pixels }, { signal })
    return labels.map((label, index) => ({ label, probability: weights[index]! }))
      .sort((a, b) => b.probability - a.probability).slice(0, top)
  }

  /** What each patch of an image, and the image as a whole, attends to. Fails as `embedImages` does. */
  async imageAttention(image: Image, options: ImageAttentionOptions = {}): Promise<ImageAttention> {
    checkOptions('imageAttention', options)
    const asked = selection(options)
    const pixels = await pixelsOf('imageAttention', image)
    const { weights } = await this.#connection.call(
      { type: 'imageAttention', image: pixels, selection: asked }, { signal: options.signal })
    const vision = { layers: this.info.visionLayers, heads: this.info.visionHeads }
    return { patches: this.info.patches, ...chosen(asked, vision), weights: splitAttention(weights, asked, vision) }
  }

  /**
   * Frees the worker, its threads and its memory. Calls under way fail with `disposed`, and so do later ones.
   */
  async dispose(): Promise<void> {
    this.#connection.close(new HeedError('disposed', 'The model was disposed of'))
  }
}

const randomSeed = () => {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number]
  return (high & 0x1fffff) * 2 ** 32 + low
}

/** The one implementation of `loadModel`, on either platform. */
export async function loadModelOn(
  platform: Platform, source?: ModelSource, options: LoadOptions = {},
): Promise<Model> {
  checkOptions('loadModel', options)
  const { contextLength, kvCache, memoryLimit, assets, signal, onProgress } = options
  const { threads = Math.min(platform.cores, 8) } = options
  if (signal?.aborted) throw HeedError.aborted(signal)
  const simd = chooseSimd(options.simd)
  const opened = openSource(source, platform, assets)
  const files = platform.engineFiles(simd, assets)
  const connection = await connect(platform.startEngine(assets), signal)
  const abort = () => connection.close(HeedError.aborted(signal))
  signal?.addEventListener('abort', abort)
  try {
    const { info, cancelFlag } = await connection.call(
      { type: 'load', source: opened.file, ...files, options: { threads, contextLength, kvCache, memoryLimit } },
      {
        onEvent: event => {
          if (event.type === 'progress') onProgress?.(event.progress)
          if (event.type === 'pull') push(opened, connection)
        },
      })
    connection.shareCancelFlag(cancelFlag)
    return new Model(connection, { ...info, simd })
  } catch (error) {
    connection.close(HeedError.from(error))
    opened.cancel?.(error)
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** The line to an engine that is starting, unless that is aborted before. */
function connect(starting: Promise<Endpoint>, signal?: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(HeedError.aborted(signal))
      starting.then(endpoint => endpoint.terminate(), () => {})
    }
    signal?.addEventListener('abort', abort)
    starting.then(endpoint => { if (!signal?.aborted) resolve(new Connection(endpoint)) }, reject)
      .finally(() => signal?.removeEventListener('abort', abort))
  })
}

/** Sends the next chunk; a source that fails ends the load. */
async function push(opened: OpenedSource, connection: Connection): Promise<void> {
  try {
    const bytes = await opened.next!()
    connection.post({ type: 'chunk', bytes }, bytes && [bytes.buffer])
  } catch (error) {
    const message = `The stream of the model failed: ${(error as Error)?.message ?? error}`
    connection.close(error instanceof HeedError ? error : new HeedError('io', message, { cause: error }))
  }
}
