// The public class Model; the engine runs in its own worker.
/// <reference lib="esnext.disposable" preserve="true" />
import type { ChatMessage } from '../chat/types.js'
import type {
  AdapterOptions,
  Audio,
  Classification,
  ClassifyOptions,
  Collection,
  CollectOptions,
  CompileOptions,
  Constraint,
  ContinuationScore,
  ControlVectorOptions,
  DetokenizeOptions,
  Direction,
  DirectionOptions,
  Edit,
  EmbedImagesOptions,
  EmbedOptions,
  FeatureDictionary,
  FeatureEffect,
  FeatureEffectOptions,
  Features,
  FeaturesOptions,
  FeaturesSource,
  FindHeadsOptions,
  GenerateOptions,
  HeadScores,
  Image,
  ImageAttention,
  ImageAttentionOptions,
  ImageBound,
  ImageSize,
  LiveAudio,
  LoadFeaturesOptions,
  LogitsOptions,
  MeansOptions,
  Memory,
  Metadata,
  MetadataOptions,
  ModelInfo,
  Pixels,
  ModelSource,
  PointStatistics,
  Probe,
  ProbeOptions,
  Prompt,
  RerankOptions,
  Score,
  ScoreOptions,
  Sweep,
  SweepOptions,
  TokenizeOptions,
  TranscribeOptions,
  WeightsOptions,
  WeightTensor,
} from '../types/index.js'
import type { ValueOf } from '../types/schema.js'
import { HeedError, refuse } from '../wire/errors.js'
import { chosen, splitAttention } from './heads.js'
import { type Chat, openTemplate, startChat } from './chat/conversation.js'
import type { ChatOptions } from './chat/chat-options.generated.js'
import type { TypedChatOptions } from './chat/typed-options.js'
import type { ModelTemplate } from './chat/model-template.js'
import type { Connection, PageEngine } from './connection.js'
import { makeDisposable } from './disposable.js'
import { Generation, type Write } from './generation.js'
import { pixelsOf } from './image.js'
import { checkSource, isArray, readIds, readList, readPrompt } from './arguments.js'
import { CompiledConstraint } from './constraint.js'
import { openFile, type Place, readFile } from './files.js'
import { Inspectable } from './inspectable.generated.js'
import { withConstraint } from './with-constraint.js'
import type { Desk } from './lab/desk.js'
import { lab } from './lab/lab.js'
import { unlessAborted } from './on-abort.js'
import { readOptions } from './options.js'
import { readAudio, readSound } from './audio/read-audio.js'
import { Transcription } from './audio/transcription.js'
import { scored } from './scored.js'
import { generateParameters, type GenerateRequest } from './parameters.js'
import {
  audioRate,
  checkAcceptsAudio,
  checkAcceptsImages,
  durationOf,
  heard,
  type PicturePrompt,
  readPicturePrompt,
  sizeOf,
  whenDecoded,
} from './pictures.js'
import { choices } from './constraints.js'
import { matched, readText } from './readers.js'
import { openSession, restoreSession, type Session } from './session.js'
import type { ModelFiles } from './source.js'
import { Unfinished } from './unfinished.js'
import { written } from './writing.js'

/**
 * A loaded model.
 *
 * Overlapping calls run together: up to `info.parallel` texts share each forward pass, and prompts are read between these passes.
 * The results are the same as without overlap. If `info.parallel` is 1, calls run one after the other, in the order in which they
 * were made; calls with images run once the images are decoded.
 */
export class Model extends Inspectable {
  /** What the model is: its family, its shape, what it can do, and its limits, such as the context length. */
  readonly info: ModelInfo
  readonly #engine: PageEngine
  readonly #place: Place
  readonly #files: ModelFiles

  /** @internal Made by loadModel. */
  constructor(engine: PageEngine, info: ModelInfo, place: Place, files: ModelFiles) {
    super({ engine, info })
    this.#engine = engine
    this.#place = place
    this.#files = files
    this.info = Object.freeze(info)
  }

  get #connection(): Connection {
    return this.#engine.connection
  }

  /** The engine, the description and the place that the lab's larger calls work with. */
  get #desk(): Desk {
    return { connection: this.#connection, info: this.info, place: this.#place }
  }

  #picturePrompt(call: string, prompt: Prompt, signal?: AbortSignal): PicturePrompt {
    return readPicturePrompt(call, prompt, this.info, this.#engine, signal)
  }

  #pixels(call: string, image: unknown, signal?: AbortSignal): Promise<Pixels> {
    return pixelsOf(call, image, this.#engine.decodeImage, { signal })
  }

  /**
   * Continues a text or a list of token ids; an encoder-decoder (T5) reads it and generates an answer. Iterate the result,
   * `await` it, or both.
   *
   * Throws `invalid-argument` at once for an invalid option. The loop and the promise fail with `context-overflow` if the
   * prompt is longer than the context, `unsupported` if the model only embeds or, without a projector, for images, `crashed` or
   * `disposed`.
   *
   * @example
   * const generation = model.generate('Once upon a time', { maxTokens: 100, seed: 1 })
   * for await (const token of generation) console.log(token.text)
   * const { text, finishReason } = await generation
   *
   * @example
   * const { text } = await vlm.generate(['An image: ', { image: file }, ' It shows'])   // loaded with a projector
   */
  generate<const Schema = unknown>(
    prompt: Prompt,
    options?: GenerateOptions & { jsonSchema?: Schema },
  ): Generation<ValueOf<Schema>> {
    const read = withConstraint('generate', readOptions('generate', options))
    return this.#write(this.#picturePrompt('generate', prompt, read.signal), read)
  }

  #write<Parsed>(given: PicturePrompt, { signal, constraint, choices, ...options }: GenerateRequest): Generation<Parsed> {
    const parameters = { addSpecial: true, ...generateParameters(options) }
    const write: Write = (stop, ...report) =>
      whenDecoded(given instanceof Promise ? unlessAborted(given, stop) : given, async prompt => {
        const call = { type: 'generate' as const, prompt, constraint, options: parameters }
        const end = await written(this.#connection, call, stop, report, options)
        return scored(end, this.#connection, prompt, choices, parameters, stop)
      })
    return new Generation<Parsed>(write, { ...parameters, signal, constraint, info: this.info })
  }

  /**
   * Answers a conversation, rendered with the model's own template. Iterate the result for text, reasoning, tool calls and tool
   * results as they arrive; `await` it for the whole answer. Text from users is never parsed as markup.
   *
   * Throws `invalid-argument` at once for options, messages, tools and names of templates that are not valid, and names the place:
   * `messages[2].content[0].type`. Messages and options are copied at the call. Fails with `unsupported` if the model has no
   * template, `template` if the template rejects the messages, and as `generate` does.
   *
   * @example
   * const { text } = await model.chat([{ role: 'user', content: 'Tell me a joke.' }])
   *
   * @example
   * const content = [{ type: 'image', image: file }, { type: 'text', text: 'What is this?' }]
   * const { text } = await vlm.chat([{ role: 'user', content }])   // loaded with a projector
   */
  chat<const Schema = unknown, const Parameters extends readonly unknown[] = readonly unknown[]>(
    messages: readonly ChatMessage[],
    options?: TypedChatOptions<Schema, Parameters>,
  ): Chat<ValueOf<Schema>> {
    return startChat(
      this.#engine,
      this.info,
      {
        write: async (prompt, read) => ({ generation: this.#write(prompt, { ...read, addSpecial: false }) }),
        turn: run => run(),
      },
      messages,
      options as ChatOptions | undefined,
    )
  }

  /**
   * Compiles a constraint for several calls. A constraint that is passed to `generate` or `chat` itself is compiled there, and
   * cached for a while.
   *
   * Fails with `invalid-argument` for a value that is not a schema, an expression or a grammar, and for a constraint that no text
   * satisfies; with `unsupported` for a constraint that cannot be enforced exactly, or takes too much work; `out-of-memory` or
   * `aborted`. The message names the keyword and its place.
   *
   * @example
   * const constraint = await model.compile({ jsonSchema: { type: 'array', items: { type: 'string' } } })
   * const { parsed } = await model.generate('Three colors, as JSON: ', { constraint })
   */
  async compile(options: CompileOptions): Promise<Constraint> {
    const { constraint, signal } = withConstraint('compile', readOptions('compile', options))
    if (!constraint) throw refuse('compile: one of jsonSchema, regex, grammar and choices is required')
    return new CompiledConstraint(
      this.#engine,
      constraint,
      await this.#connection.call({ type: 'compile', constraint }, { signal }),
    )
  }

  /**
   * The model's chat template, to inspect its prompts and what it supports; or another template, by name or as Jinja, as for
   * `chat`. Fails with `unsupported` if there is none, `invalid-argument` for a name that the file does not have, `template`,
   * `disposed`, and `network` if the worker that templates run in cannot be loaded.
   *
   * @example
   * const template = await model.chatTemplate()
   * const prompt = await template.renderAsync([{ role: 'user', content: 'Hello!' }])
   * console.log(template.info.supports.tools)
   */
  chatTemplate(template?: ChatOptions['template']): Promise<ModelTemplate> {
    return openTemplate(this.#engine, this.info, template)
  }

  /**
   * Starts a session: a text that successive calls extend, such as a conversation. Fails with `unsupported` if the model does not
   * generate, or is an encoder-decoder, because its encoder reads a text as a whole.
   *
   * @example
   * const session = await model.session()
   * await session.append('Once upon a time')
   * const { text } = await session.generate('', { maxTokens: 40 })
   */
  session(): Promise<Session> {
    return openSession(this.#engine, this.info)
  }

  /**
   * Restores a saved session, which continues with the same bits. Fails with `invalid-argument` if the bytes are damaged, or come
   * from another model, another `kvCache` or a longer context.
   *
   * @example
   * const session = await model.restore(await earlier.save())
   */
  restore(saved: ArrayBuffer | ArrayBufferView): Promise<Session> {
    return restoreSession(this.#engine, this.info, saved)
  }

  /**
   * The answers of this model that were being written when their tab was closed or its process ended, oldest first. Without the
   * option `keep`, there are none. Answers that another tab is writing are not among them. Each has its `text`, the number of its
   * tokens (`length`), its `prompt` as token ids, its `seed`, `startedAt`, `continue({ signal })`, which returns a generation, and
   * `forget()`, which drops it. To finish a chat, ask it again, with the same messages and options and the answer's `seed`.
   *
   * @example
   * for (const answer of await model.unfinished()) {
   *   console.log(answer.text)                        // as far as it was written
   *   const { text } = await answer.continue()        // the whole of it
   * }
   */
  async unfinished(): Promise<Unfinished[]> {
    const found = await this.#connection.call({ type: 'unfinished' })
    return found.map(answer => new Unfinished(this.#engine, this.info, answer))
  }

  /**
   * The bytes in use, the maximum that the model may use, and what longer contexts would take.
   *
   * @example
   * const { bytes, mostBytes, contexts } = await model.memory()
   */
  memory(): Promise<Memory> {
    return this.#connection.call({ type: 'memory' })
  }

  /**
   * All metadata of the model's GGUF file, by key: each value with its type in the file. It is read again from where the model came
   * from. Fails with `unsupported` for a projector that came as a stream or as bytes, and as `loadModel` does for a file that is not
   * there any more.
   *
   * @example
   * const { 'general.license': license, 'llama.context_length': length } = await model.metadata()
   * console.log(license?.value, length?.value, length?.type)
   */
  async metadata(options?: MetadataOptions): Promise<Metadata> {
    const { file, signal } = readOptions('metadata', options)
    const opened = this.#files[file]
    if (!opened) throw refuse(`metadata: file: the model has no ${file}`)
    const { request, next } = opened
    return readFile(
      'metadata',
      { request: { ...request, head: true }, next },
      { signal },
      this.#connection,
      this.#place,
      (from, asked) => this.#connection.call({ type: 'metadata', file, ...from }, asked),
    )
  }

  /**
   * The token ids of a prompt. An image has an id of -1 for each vector that the model reads of it.
   *
   * @example
   * const ids = await model.tokenize('Once upon a time')
   */
  async tokenize(prompt: Prompt, options?: TokenizeOptions): Promise<number[]> {
    const read = readOptions('tokenize', options)
    return whenDecoded(this.#picturePrompt('tokenize', prompt), prompt =>
      this.#connection.call({ type: 'tokenize', prompt, ...read }),
    )
  }

  /**
   * The number of tokens that an image takes in a prompt, including those that the model expects around it. Only the image's
   * size matters, so the size alone may be passed; the image is not read by the model. Fails with `unsupported` for a model without
   * a projector, and `invalid-argument` if the value is not an image, or if the limit is too low.
   *
   * @example
   * const count = await vlm.imageTokens({ width: 1920, height: 1080 })
   * const fewer = await vlm.imageTokens(file, { maxImageTokens: 256 })
   */
  async imageTokens(image: Image | ImageSize, options?: ImageBound): Promise<number> {
    const read = readOptions('imageTokens', options)
    checkAcceptsImages('imageTokens', this.info)
    const { width, height } = await sizeOf('imageTokens', image, this.#engine.decodeImage)
    return this.#connection.call({ type: 'imageTokens', width, height, ...read })
  }

  /**
   * The number of tokens that a sound takes in a prompt, including those that the model expects around it; with `duration`, the
   * number for any sound of this many seconds. Fails with `unsupported` if the model was loaded without a projector for audio, and
   * `invalid-argument` for a value that is not a sound, or a sound that is too short or damaged; `context-overflow` for a sound
   * that is longer than the context.
   *
   * @example
   * const count = await listener.audioTokens({ duration: 30 })
   * const exact = await listener.audioTokens(file)
   */
  async audioTokens(audio: Audio | { readonly duration: number }): Promise<number> {
    const seconds = durationOf('audioTokens', audio)
    const sound = seconds === undefined ? readSound('audioTokens', audio) : undefined
    checkAcceptsAudio('audioTokens', this.info)
    const samples = sound ? (await heard(sound, this.#connection)).audio.samples : Math.round(seconds! * audioRate)
    return this.#connection.call({ type: 'audioTokens', samples })
  }

  /**
   * The text of token ids, or its bytes. Fails with `invalid-argument` for an id outside the vocabulary.
   *
   * @example
   * const text = await model.detokenize(ids)
   */
  detokenize(ids: ArrayLike<number>, options: DetokenizeOptions & { bytes: true }): Promise<Uint8Array<ArrayBuffer>>
  detokenize(ids: ArrayLike<number>, options?: DetokenizeOptions & { bytes?: false }): Promise<string>
  detokenize(ids: ArrayLike<number>, options?: DetokenizeOptions): Promise<string | Uint8Array<ArrayBuffer>>
  // biome-ignore lint/suspicious/noExplicitAny: the overloads declare the result
  async detokenize(ids: ArrayLike<number>, options?: DetokenizeOptions): Promise<any> {
    const read = readOptions('detokenize', options)
    return this.#connection.call({ type: 'detokenize', ids: readIds('detokenize', ids), ...read })
  }

  /**
   * The logits for the next token, at each of the positions of a text: positions x V, row by row. A list of token ids gets no
   * special tokens. Fails with `context-overflow`, `invalid-argument` or `aborted`.
   *
   * @example
   * const logits = await model.logits(ids, { positions: 'all' })
   *
   * @example
   * const next = await vlm.logits([{ image: file }, 'The color is'])   // loaded with a projector
   */
  async logits(text: Prompt, options?: LogitsOptions): Promise<Float32Array> {
    const { signal, ...read } = readOptions('logits', options)
    const given = this.#picturePrompt('logits', text, signal)
    const source = checkSource('logits', read.source, this.info)
    return whenDecoded(given, prompt => this.#connection.call({ type: 'logits', ...read, prompt, source }, { signal }))
  }

  /**
   * One vector per text, of `info.embeddingLength` numbers; with pooling `none`, one vector per token, in one array. A text may be
   * a list of token ids. If a model expects a prefix, put it before the text: files do not contain it.
   *
   * Fails with `unsupported` if the model does not embed, `context-overflow` for a text that is too long, unless `truncate` is set,
   * `invalid-argument` (for instance for more `dimensions` than the vectors have, or if `onProgress` throws) or `aborted`. If the
   * error is about one of the texts, `error.index` says which.
   *
   * @example
   * const task = 'Instruct: Given a question, find passages that answer it\nQuery: '   // Qwen3-Embedding
   * const [query, ...passages] = await model.embed([task + question, ...texts], { dimensions: 256, normalize: true })
   * passages.map(passage => similarity(query!, passage))
   */
  async embed(texts: readonly Prompt[], options?: EmbedOptions): Promise<Float32Array[]> {
    const prompts = readList('embed', 'texts', texts, readPrompt)
    const { addSpecial, parseSpecial, truncate, signal, onProgress, ...rest } = readOptions('embed', options)
    return this.#connection.call(
      { type: 'embed', prompts, addSpecial, parseSpecial, truncate, form: rest },
      {
        signal,
        onEvent: event => {
          if (event.type === 'embedded') onProgress?.({ done: event.count, total: prompts.length })
        },
      },
    )
  }

  /**
   * The probability of a text according to the model, token by token; or, with a list of continuations, the probability of each of
   * them after the text, best first. A text and its continuation are tokenized as one text. Tokens of images have no probability,
   * and are left out. Fails as `hidden` does, and with `unsupported` for images in continuations.
   *
   * @example
   * const { perplexity } = await model.score('The fox was tired.')
   * const [best] = await model.score('Is the fox tired? Answer:', [' yes', ' no'])   // { index: 0, sum, … }
   */
  score(text: Prompt, options?: ScoreOptions): Promise<Score>
  score(prompt: Prompt, continuations: readonly Prompt[], options?: ScoreOptions): Promise<ContinuationScore[]>
  async score(
    text: Prompt,
    given?: ScoreOptions | readonly Prompt[],
    options?: ScoreOptions,
  ): Promise<Score | ContinuationScore[]> {
    const isRanked = isArray('score', given)
    const continuations = isRanked
      ? readList('score', 'continuations', given, (call, value) => readPrompt(`${call}: continuations`, value))
      : undefined
    const { signal, by, ...read } = readOptions('score', isRanked ? options : (given ?? options))
    const start = this.#picturePrompt('score', text, signal)
    const scores = await whenDecoded(start, prompt =>
      this.#connection.call({ type: 'score', prompt, continuations, ...read }, { signal }),
    )
    return isRanked ? (await lab()).ranked(scores, by) : scores[0]!
  }

  /**
   * How much each cell of a table matters: one layer and position, or one head, is patched with its value in another text
   * (arXiv:2202.05262), ablated, or patched along one path, and the metric is measured. Cells share passes, and what a cell cannot
   * change is not computed again; the values have the same bits as if each cell were measured alone.
   *
   * Fails with `invalid-argument` for texts of different lengths, and for points, layers, heads or positions that do not exist,
   * `unsupported` if the model has no decoder, or also an encoder; `context-overflow`, `out-of-memory`, `network` (if lab.js cannot
   * be loaded) or `aborted`.
   *
   * @example
   * const clean = 'The fox was tired. The', corrupted = 'The owl was tired. The'
   * const { normalized, shape } = await model.sweep({ clean, corrupted, at: 'resid', metric: { token: ' fox', against: ' owl' } })
   * const [layers, positions] = shape   // normalized[layer * positions + position]: 0 as the corrupted text, 1 as the clean one
   *
   * @example
   * const [clean, corrupted] = ['The fox was tired. The', 'The owl was tired. The']
   * const path = { from: [1, 3], to: [3, 1], via: 'v' } as const
   * const { effects } = await model.sweep({ clean, corrupted, path, metric: { token: ' fox' } })
   */
  async sweep(options: SweepOptions): Promise<Sweep> {
    return (await lab()).sweep(this.#desk, options)
  }

  /**
   * Reads a sparse autoencoder or a transcoder of this model: in the formats of SAELens, Gemma Scope 1 and 2, and circuit-tracer.
   *
   * Fails with `invalid-file` for files that are damaged or contradict themselves, `unsupported` for kinds that are not read,
   * `invalid-argument` if it is for another model; `io`, `network`, `out-of-memory` or `aborted`.
   *
   * @example
   * const sae = await model.loadFeatures([...input.files!])   // of a folder that a user has chosen: cfg.json and sae_weights.safetensors
   */
  async loadFeatures(source: FeaturesSource, options?: LoadFeaturesOptions): Promise<FeatureDictionary> {
    return (await lab()).loadFeatures(this.#desk, source, options)
  }

  /**
   * The features that a dictionary finds in a text, and how well they rebuild its values. Fails as `trace` does.
   *
   * @example
   * const { tokens, top } = await model.features('The fox was tired.', { sae, top: 3 })
   * for (const [index, best] of top.entries()) console.log(tokens[index]!.text, best)   // [{ feature, value }, …]
   */
  async features(text: Prompt, options: FeaturesOptions): Promise<Features> {
    return (await lab()).features(this.#desk, text, options)
  }

  /**
   * The tokens that a feature makes more and less probable by the direct path to the logits. Fails with `invalid-argument` for a
   * feature that the dictionary does not have, or one that is not added to the residual stream; `network` or `aborted`.
   *
   * @example
   * const { normed } = await model.featureEffect(sae, 12, { top: 5 })
   * normed.top.map(({ text }) => text)
   */
  async featureEffect(sae: FeatureDictionary, feature: number, options?: FeatureEffectOptions): Promise<FeatureEffect> {
    return (await lab()).featureEffect(this.#desk, sae, feature, options)
  }

  /**
   * Collects the values at points of many texts: writes them to a file of numpy or safetensors, with a row for each token, or
   * reduces them to statistics or examples. Only one text is in memory at a time. Fails as `trace` does, and with `io` if the file
   * cannot be written.
   *
   * @example
   * const { file } = await model.collect(texts, { points: ['resid.5'], positions: 'last', to: 'npy' })
   *
   * @example
   * const { examples } = await model.collect(texts, { points: ['resid.5'], examples: { sae, features: [12], top: 5 } })
   */
  async collect(texts: readonly Prompt[], options: CollectOptions): Promise<Collection> {
    return (await lab()).collect(this.#desk, texts, options)
  }

  /**
   * The mean value at points, over all tokens of some texts. Fails as `trace` does.
   *
   * @example
   * const [{ mean }] = await model.means(texts, { points: ['mlp.3.out'] })
   * await model.logits('The fox', { edits: [{ at: 'mlp.3.out', replace: mean }] })
   */
  async means(texts: readonly Prompt[], options: MeansOptions): Promise<PointStatistics[]> {
    return (await lab()).means(this.#desk, texts, options)
  }

  /**
   * A linear probe (arXiv:1610.01644): logistic regression that tells the first texts from the second by the values at a point, to the
   * optimum. Fails as `trace` does, and with `invalid-argument` for no texts.
   *
   * @example
   * const { direction, accuracy } = await model.probe(['What a joy!', 'I love it.'], ['What a pity!', 'I hate it.'], { point: 'resid.3' })
   */
  async probe(positive: readonly Prompt[], negative: readonly Prompt[], options: ProbeOptions): Promise<Probe> {
    return (await lab()).probe(this.#desk, positive, negative, options)
  }

  /**
   * A tensor of the model's file by its name, dequantized, in the order of the file. Fails with `invalid-argument` for a tensor that
   * the file does not have (the message lists names) or rows that the tensor does not have, or with `out-of-memory`.
   *
   * @example
   * const { shape, data } = await model.weights('blk.3.attn_v.weight')
   */
  async weights(name: string, options?: WeightsOptions): Promise<WeightTensor> {
    return (await lab()).weights(this.#desk, name, options)
  }

  /**
   * How much each head attends, in a random sequence that occurs twice, to the previous token, the earlier copy of a token, the
   * token after that copy (induction), or the first token. One entry for each head, sorted by layer, then head; layers without
   * softmax attention are absent. Fails with `unsupported` for a model that is not a plain decoder, `context-overflow` or
   * `invalid-argument` for a `length` beyond the context or the vocabulary, `network` (if lab.js cannot be loaded) or `aborted`.
   *
   * @example
   * const heads = await model.findHeads()
   * const [best] = heads.sort((a, b) => b.induction - a.induction)   // { layer, head, induction, previousToken, … }
   */
  async findHeads(options?: FindHeadsOptions): Promise<HeadScores[]> {
    const read = readOptions('findHeads', options)
    return (await lab()).findHeads(this.#connection, this.info, read)
  }

  /**
   * Loads an adapter (LoRA or aLoRA, as llama.cpp's converter writes it), for calls that name it in `adapters`. Its memory is part
   * of `memory().bytes`. Texts with different adapters share passes; they share cached prefixes only if their adapters are the
   * same.
   *
   * Fails with `invalid-argument` if there is one of this name, or it is for another model; `invalid-file`, `unsupported`,
   * `out-of-memory`, `network`, `io` or `aborted`. The model is not affected.
   *
   * @example
   * await model.loadAdapter('pirate', 'pirate.gguf')
   * await model.chat(messages, { adapters: { pirate: 0.8 } })
   */
  async loadAdapter(name: string, source: ModelSource, options?: AdapterOptions): Promise<void> {
    const text = readText('loadAdapter: name', name),
      read = readOptions('loadAdapter', options)
    return readFile(
      'loadAdapter',
      openFile('loadAdapter', source, read, this.#place),
      read,
      this.#connection,
      this.#place,
      (file, asked) => this.#connection.call({ type: 'loadAdapter', name: text, ...file }, asked),
    )
  }

  /**
   * Drops an adapter and the cached prefixes of texts, and frees their memory. The name can then be used again.
   *
   * Fails with `invalid-argument` if there is no adapter of this name, or if a running call or a session still uses it: wait for
   * the call, or abort it; dispose of the session, or continue it without the adapter.
   *
   * @example
   * await model.unloadAdapter('pirate')
   */
  async unloadAdapter(name: string): Promise<void> {
    return this.#connection.call({ type: 'unloadAdapter', name: readText('unloadAdapter: name', name) })
  }

  /**
   * Reads a control vector (a GGUF file with a direction for each layer) as edits that add its directions. Fails as `loadAdapter` does.
   *
   * @example
   * const edits = await model.controlVector('happy.gguf', { scale: 0.8 })
   * await model.generate('Once upon a time', { edits })
   */
  async controlVector(source: ModelSource, options?: ControlVectorOptions): Promise<Edit[]> {
    const { scale, layers, ...file } = readOptions('controlVector', options)
    const flat = await readFile(
      'controlVector',
      openFile('controlVector', source, file, this.#place),
      file,
      this.#connection,
      this.#place,
      (opened, asked) => this.#connection.call({ type: 'controlVector', ...opened }, asked),
    )
    return (await lab()).directionsOf(flat, this.info, scale, layers)
  }

  /**
   * The direction from some texts to others in the residual stream: the mean of the states at the first texts' last tokens minus
   * the mean at the other texts' last tokens. Fails as `hidden` does, and with `invalid-argument` for no texts.
   *
   * @example
   * const { vector, layer } = await model.direction(['What a joy!', 'I love it.'], ['What a pity!', 'I hate it.'], { layer: 3 })
   * await model.generate('The film was', { edits: [{ add: vector, layer, scale: 2 }] })
   */
  async direction(texts: readonly Prompt[], others: readonly Prompt[], options: DirectionOptions): Promise<Direction> {
    const read = readOptions('direction', options)
    const lists = [texts, others].map(list =>
      readList('direction', 'texts', list, (call, one) => this.#picturePrompt(call, one as Prompt, read.signal)),
    )
    return (await lab()).direction(this.#connection, this.info, lists, read)
  }

  /**
   * A reranker's score of how well each document answers the query; higher is better. An encoder with a head for pairs (the BERT
   * family) gives a logit, which may be any number; a decoder that answers yes or no (Qwen3-Reranker) gives the probability of yes.
   * If the file has a template for pairs (`info.chatTemplates.rerank`), it is used.
   *
   * Fails with `unsupported` if the model is not a reranker (`info.reranks`), `context-overflow` for a document that is too long
   * together with the query, whose position is `error.index`, or `aborted`.
   *
   * @example
   * const scores = await reranker.rerank(question, texts)
   * const best = texts[scores.indexOf(Math.max(...scores))]
   */
  async rerank(query: string, documents: readonly string[], options?: RerankOptions): Promise<number[]> {
    const pairs = { query: readText('rerank', query), documents: readList('rerank', 'documents', documents, readText) }
    return this.#connection.call({ type: 'rerank', ...pairs }, readOptions('rerank', options))
  }

  /**
   * One vector per image; if the model also embeds text (CLIP), of the same length as its text vectors. Fails with
   * `unsupported` if the model is not a vision model, `invalid-argument` or `aborted`.
   *
   * @example
   * const [image] = await clip.embedImages([file])
   * const [caption] = await clip.embed(['a photo of a fox'])
   * similarity(image!, caption!)
   */
  async embedImages(images: readonly Image[], options?: EmbedImagesOptions): Promise<Float32Array[]> {
    const { signal, ...rest } = readOptions('embedImages', options)
    const pixels = await Promise.all(readList('embedImages', 'images', images, (call, image) => this.#pixels(call, image, signal)))
    return this.#connection.call({ type: 'embedImages', images: pixels, ...rest }, { signal })
  }

  /**
   * The most probable classes of an image, by a vision model; or the most probable labels of one or several texts, by a model that
   * generates; best first. Such a model is asked for the label, in its template if it has one, and all labels are scored. The
   * probabilities of all labels add up to 1. For images, fails as `embedImages` does; for texts, as `chat` and `score` do.
   *
   * @example
   * const [best] = await vit.classify(file)   // { label, probability }
   *
   * @example
   * const [mood] = await model.classify('The soup was cold.', ['praise', 'complaint'])
   * const all = await model.classify(texts, ['order', 'question', 'spam'], { calibrate: true })
   */
  classify(image: Image, options?: ClassifyOptions): Promise<Classification[]>
  classify(text: string, labels: readonly string[], options?: ClassifyOptions): Promise<Classification[]>
  classify(texts: readonly string[], labels: readonly string[], options?: ClassifyOptions): Promise<Classification[][]>
  async classify(
    given: Image | string | readonly string[],
    labels?: ClassifyOptions | readonly string[],
    options?: ClassifyOptions,
  ): Promise<Classification[] | Classification[][]> {
    if (isArray('classify', labels)) {
      const read = readOptions('classify', options)
      const { texts: names } = matched('classify: labels', labels, choices)
      const isList = isArray('classify', given)
      const texts = isList ? readList('classify', 'texts', given, readText) : [readText('classify: text', given)]
      const found = await (await lab()).classifyTexts(this, texts, names, read)
      return isList ? found : found[0]!
    }
    const { top, prompt, calibrate, signal } = readOptions('classify', labels ?? options)
    if (calibrate || prompt !== undefined) throw refuse('classify: prompt and calibrate are options of texts')
    const image = await this.#pixels('classify', given, signal)
    const classes = await this.#connection.call({ type: 'classify', image }, { signal })
    return classes.labels
      .map((label, index) => ({ label, probability: classes.weights[index]! }))
      .sort((a, b) => b.probability - a.probability)
      .slice(0, top)
  }

  /**
   * The attention weights of each patch of an image, and of the image as a whole. Fails as `embedImages` does.
   *
   * @example
   * const { patches, weights } = await vit.imageAttention(file, { layers: [0] })
   */
  async imageAttention(image: Image, options?: ImageAttentionOptions): Promise<ImageAttention> {
    const { signal, ...asked } = readOptions('imageAttention', options)
    const pixels = await this.#pixels('imageAttention', image, signal)
    const { weights } = await this.#connection.call({ type: 'imageAttention', image: pixels, selection: asked }, { signal })
    const vision = { layers: this.info.visionLayers, heads: this.info.visionHeads }
    return { patches: this.info.patches, ...chosen(asked, vision), weights: splitAttention(weights, asked, vision) }
  }

  /**
   * Transcribes the speech in a sound, with a Whisper model. Iterate the result for segments as they are complete, `await` it for
   * the transcript, or both. The sound may still be arriving, from a microphone or in pieces: a segment then comes once it is
   * settled, and `onInterim` gets the segments that more sound may change; the transcription ends when the stream ends, or its
   * tracks are stopped.
   *
   * Throws `invalid-argument` at once for an invalid option or a value that is not audio. The loop and the promise fail with
   * `invalid-argument` for a sound that is damaged, empty or has a rate below 1,000 or above 400,000 Hz, and for a language that
   * does not exist; `unsupported` for a model that does not transcribe, a task or language that it does not know, and a file that
   * cannot be decoded here; `out-of-memory`, `crashed` or `disposed`.
   *
   * @example
   * const { text, segments, language } = await model.transcribe(file, { words: true })
   *
   * @example
   * const transcription = model.transcribe({ sampleRate: 16000, data: samples })
   * for await (const { start, text } of transcription) console.log(start, text)
   * const { language } = await transcription
   *
   * @example
   * const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
   * const live = model.transcribe(microphone, { onInterim: segments => console.log('perhaps', segments) })
   * for await (const { text } of live) console.log(text)   // until microphone.getTracks() are stopped
   */
  transcribe(audio: Audio | LiveAudio, options?: TranscribeOptions): Transcription {
    const { platform, assets } = this.#place
    const microphone = () => platform.workerScript('heed-microphone.js', assets)
    const read = readOptions('transcribe', options)
    return new Transcription(this.#connection, this.info, readAudio('transcribe', audio), read, microphone)
  }

  /**
   * For a model that was loaded with `shared`: whether this tab or another one runs the engine. When the tab that runs it is
   * closed, another takes over, and this changes. Undefined for a model that is not shared, and once it has been disposed of.
   */
  get runsIn(): 'this-tab' | 'another-tab' | undefined {
    return this.#connection.runsIn
  }

  /** Whether all further calls will fail, because the model was disposed of or its worker crashed. */
  get isLost(): boolean {
    return this.#connection.gone.aborted
  }

  /**
   * Frees the worker, its threads and its memory. Pending and later calls fail with `disposed`. A model that is dropped without
   * `dispose` is freed eventually.
   *
   * @example
   * await model.dispose()
   */
  async dispose(): Promise<void> {
    await this.#connection.close(new HeedError('disposed', 'The model was disposed of'))
  }
}

/** `await using model = await loadModel()` disposes of the model at the end of its block. */
export interface Model extends AsyncDisposable {}
makeDisposable(Model)
