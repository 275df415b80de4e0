// The public types of results: models, texts, attention, vectors.
/// <reference lib="esnext.disposable" preserve="true" />
import type { AcceptsOptions } from './early-options.generated.js'
import type { TextImage } from './images.js'
import type { KvCacheKind, Simd } from './loading.js'
import type { AttentionOf, AttentionToken, NamedToken, TextRead, TokenProbability } from './text.js'

export interface ModelInfo {
  /** The family, such as `llama` or `gpt2`. */
  readonly architecture: string
  /** The model name in the file; may be empty. */
  readonly name: string
  /** The format of most weights, such as `Q4_0`. */
  readonly weights: string
  readonly parameters: number
  readonly fileBytes: number
  /** Whether the model generates text: it has a decoder, and its file does not declare it an embedding model. */
  readonly generates: boolean
  /** Whether the model embeds text: it has an encoder, or its file specifies pooling. Some models generate and embed. */
  readonly embeds: boolean
  /** Whether the model scores pairs of texts (`rerank`). */
  readonly reranks: boolean
  /** The file's pooling for texts; undefined if the model does not embed texts. */
  readonly pooling?: Pooling
  /** The length of the vector of a text or an image; 0 if the model embeds neither. */
  readonly embeddingLength: number
  /** Whether the model embeds images: it has a vision encoder. */
  readonly embedsImages: boolean
  /** Whether prompts may have images: the model was loaded with a `projector` for them. */
  readonly acceptsImages: boolean
  /** Whether prompts may have audio: the model was loaded with a `projector` for it. */
  readonly acceptsAudio: boolean
  /** Whether the model transcribes sounds. */
  readonly transcribes: boolean
  /** @deprecated Use `embedsImages`; this name will be removed in the next minor version. */
  readonly sees: boolean
  /** @deprecated Use `acceptsImages`; this name will be removed in the next minor version. */
  readonly readsImages: boolean
  /** Layers of the decoder, or of the encoder if there is no decoder. */
  readonly layers: number
  /** Layers of the encoder; 0 if there is none. */
  readonly encoderLayers: number
  /** The token that the decoder of an encoder-decoder starts from. */
  readonly decoderStart?: number
  /** Layers of the vision encoder; 0 if there is none. */
  readonly visionLayers: number
  /** Heads of each of its layers; 0 if there is none. */
  readonly visionHeads: number
  /** Patches per side of an image of the vision encoder; 0 if there is none. */
  readonly patches: number
  /** Query heads of an attention layer. */
  readonly heads: number
  /** Heads of keys and values of an attention layer. */
  readonly kvHeads: number
  /** The length of a head's query and key. */
  readonly headDim: number
  /** The model dimension, D. */
  readonly width: number
  /** The inner dimension of the MLP, or of one expert, F. */
  readonly feedForward: number
  /** Experts per layer; 0 if the MLP is not a mixture. */
  readonly experts: number
  /** Experts that each token uses. */
  readonly expertsUsed: number
  /** The recurrent layers (Mamba, RWKV, delta rules), whose gates `Model.gates` returns. */
  readonly recurrentLayers: readonly number[]
  /** Heads of each recurrent layer. */
  readonly recurrentHeads: number
  /** Number of tokens in the vocabulary, V. */
  readonly vocabulary: number
  /** Context length that the model was trained for, in tokens. */
  readonly trainedContext: number
  /** Context length of this load, in tokens. */
  readonly contextLength: number
  /** How keys and values are stored: the option `kvCache`, or what `auto` chose. */
  readonly kvCache: KvCacheKind
  /** The number of texts that can be generated at once. */
  readonly parallel: number
  /** Bytes of weights and scratch memory, allocated at load. Keys and values of texts are added to this; see `Model.memory`. */
  readonly memoryBytes: number
  /** The maximum number of bytes that the model may use. */
  readonly mostMemoryBytes: number
  /** Number of threads: 1 if the page has no SharedArrayBuffer. */
  readonly threads: number
  readonly simd: Simd
  /** Whether memory has 64-bit addresses and can exceed 4 GiB. */
  readonly memory64: boolean
  /** The kernels in use, such as `simd128` or `relaxed-usdot`. */
  readonly target: string
  /** The file's chat templates, in Jinja, by name; the one used by default is `default`. */
  readonly chatTemplates: Readonly<Record<string, string>>
  /** The token that begins a text, if the vocabulary has one. */
  readonly bosToken?: NamedToken
  /** The token that ends a text, if the vocabulary has one. */
  readonly eosToken?: NamedToken
  /**
   * Set for a model of masked diffusion (LLaDA, Dream): `generate` begins with this token in all places of the new text, and each
   * pass replaces those that the model is most certain of, in blocks of 32. `generates` is false.
   */
  readonly maskToken?: NamedToken
}

/** The memory use of a model. */
export interface Memory {
  /**
   * Weights, adapters, a projector, scratch memory, and the memory allocated for keys and values. Memory that texts no longer need
   * is kept for later texts, so this grows to the maximum in use at one time.
   */
  readonly bytes: number
  /** The maximum that the model may use. */
  readonly mostBytes: number
  /**
   * The memory of one text that fills the context, for contexts of `info.contextLength` tokens, twice as many, and so on up to
   * `info.trainedContext`.
   */
  readonly contexts: readonly ContextMemory[]
}

/** The memory of the keys and values of one text. */
export interface ContextMemory {
  /** The length of the text, in tokens. */
  readonly contextLength: number
  /** Bytes, with each `kvCache`. */
  readonly bytes: Readonly<Record<KvCacheKind, number>>
}

/** A keyword of a schema that does not restrict texts: a `format` that no draft defines. */
export interface IgnoredKeyword {
  readonly keyword: string
  /** Where it is, such as `#/properties/a`. */
  readonly path: string
}

/** A compiled constraint (`Model.compile`). If it is dropped without `dispose`, it is freed eventually. */
export interface Constraint extends AsyncDisposable {
  /** Bytes of the compiled constraint. The masks of texts that use it are cached in addition, within limits. */
  readonly size: number
  readonly ignored: readonly IgnoredKeyword[]
  /**
   * Whether generation could produce this text. A valid value in a spelling that is never generated, such as `1e2` for the integer
   * 100, is not accepted.
   *
   * @example
   * const isList = await constraint.accepts('["red"]')
   */
  accepts(text: string, options?: AcceptsOptions): Promise<boolean>
  /**
   * Frees the constraint.
   *
   * @example
   * await constraint.dispose()
   */
  dispose(): Promise<void>
}

export interface PromptProgress {
  /** Number of prompt tokens that have been processed, including reused ones. */
  readonly done: number
  /** Number of tokens of the prompt, including tokens that the session already held. */
  readonly total: number
}

/** The masks that one unmasking pass has replaced (`GenerateOptions.onUnmasked`). */
export interface UnmaskedStep {
  /** Number of places of the new text, all of which begin as masks. */
  readonly places: number
  /** The end of the block that is being filled: all places from here on are still masks. */
  readonly end: number
  /** The tokens in place of masks, from left to right. */
  readonly tokens: readonly UnmaskedToken[]
}

/** A token in place of a mask. */
export interface UnmaskedToken extends NamedToken {
  /** Its place in the new text, from 0. */
  readonly place: number
  /** Natural logarithm of the probability that the model gave it, which decided when it replaced its mask. */
  readonly logprob: number
}

export interface Token extends TokenProbability {
  /** New text, whole characters only; may be empty. The joined texts of all tokens are the generated text. */
  readonly text: string
  /** The `topLogprobs` most probable tokens, best first. */
  readonly alternatives?: readonly TokenProbability[]
  /** Number of tokens of the vocabulary that the constraint allowed at this position; absent without a constraint. */
  readonly allowed?: number
  /** Its place, from 1 to 8, in the draft that proposed it (`draft` of `loadModel`); absent if no draft did. */
  readonly draft?: number
  /**
   * `[layer][head]`, in the order requested: a weight for each position up to the one that predicted this token or, for `cross`,
   * for each source token.
   */
  readonly attention?: readonly (readonly Float32Array[])[]
}

/**
 * - `stop`: the model ended the text, or a stop string occurred
 * - `length`: `maxTokens` were generated
 * - `context`: the context is full
 * - `abort`: the signal was aborted, or the loop over the tokens was exited early
 */
export type FinishReason = 'stop' | 'length' | 'context' | 'abort'

/**
 * Where a text's guessed tokens came from, or why there were none:
 * - `drafts`: from heads in the model's file or from the `draft` of `loadModel`, and from repetitions
 * - `lookup`: only from repetitions, because the model has no drafts
 * - `unread`: only from repetitions. The heads have not read the whole text, as in a session that was saved without them; or the
 *   small model cannot read it, because of images, edits or its length
 * - `off`: none, because `speculate` is `off`
 * - `attention`: none, because attention is returned
 * - `state`: none, because the model has recurrent state; with drafts, memory is reserved for taking it back
 */
export type Speculation = 'drafts' | 'lookup' | 'unread' | 'off' | 'attention' | 'state'

/** An entry of `draftsByPlace`: entry 0 counts the first tokens of all drafts, entry 1 the second ones, and so on. */
export interface DraftPlace {
  /** How many tokens were proposed at this place. */
  readonly drafted: number
  /** How many of the proposed tokens were correct. */
  readonly accepted: number
}

export interface Timings {
  /** Prompt tokens, including those that the session already held. */
  readonly promptTokens: number
  /** How many prompt tokens were cached, by the session or by the prefix cache. */
  readonly reusedTokens: number
  readonly generatedTokens: number
  /** Tokens that speculative decoding guessed (`speculate`). */
  readonly guessedTokens: number
  /** How many guessed tokens were correct. */
  readonly acceptedTokens: number
  /** How many of the guessed tokens were drafts (`draft` of `loadModel`). */
  readonly draftedTokens: number
  /** How many drafted tokens were correct. */
  readonly acceptedDrafts: number
  /**
   * `draftedTokens` and `acceptedDrafts` by place in the draft, from its first token to the last place that was drafted; empty
   * without drafts. A token counts as correct only if those before it were.
   *
   * @example
   * const shares = timings.draftsByPlace.map(({ drafted, accepted }) => accepted / drafted)
   */
  readonly draftsByPlace: readonly DraftPlace[]
  readonly speculation: Speculation
  /** Time of the forward passes, including passes shared with other texts. */
  readonly prefillMs: number
  readonly decodeMs: number
  /** 0 if nothing had to be read. */
  readonly prefillTokensPerSecond: number
  /** 0 if nothing was generated. */
  readonly decodeTokensPerSecond: number
}

/** How probable a choice is after the prompt, among all of `choices`. */
export interface ChoiceProbability {
  readonly choice: string
  readonly probability: number
}

export interface GenerateResult<Parsed = unknown> {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The value of a text with `jsonSchema`; undefined for other texts, and if the text was cut off. */
  readonly parsed?: Parsed
  /**
   * With `choiceProbabilities`: for each of `choices`, in their order, the product of its tokens' probabilities after the prompt,
   * divided by the sum over all choices. The end of the text is not counted, so if one choice is the beginning of another, the
   * shorter one counts for more. Absent after an abort.
   */
  readonly choiceProbabilities?: readonly ChoiceProbability[]
  readonly finishReason: FinishReason
  /** The model's own end token, if it ended the text; it is not in `tokens`. */
  readonly endToken?: NamedToken
  /** The seed that was used: pass it as an option to get this text again. */
  readonly seed: number
  /**
   * The images of the text, including a session's earlier ones; absent without images. Positions count as in `Token.attention`.
   */
  readonly images?: readonly TextImage[]
  /** What the engine did. After an abort, it may have generated more tokens than there are in `tokens`. */
  readonly timings: Timings
}

export interface Attention {
  /** The T tokens that attend, one per row. */
  readonly tokens: readonly AttentionToken[]
  /** The K tokens that are attended to, one per column. The same as `tokens`, except for `cross`. */
  readonly keys: readonly AttentionToken[]
  readonly of: AttentionOf
  /** The layers in `weights`, in that order. */
  readonly layers: readonly number[]
  /** The heads in `weights`, in that order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: T x K, row by row. Row q has the weights of token q, 0 where masked. It sums to 1 or, in a model with
   * attention sinks, to less. A layer without attention (a convolution) has zeros.
   */
  readonly weights: readonly (readonly Float32Array[])[]
  /**
   * The images of the text with the patches of their tokens, for drawing a row of weights over them; absent without images.
   *
   * @example
   * for (const { position, x, y, width, height, overview } of images![0]!.patches) {
   *   if (!overview) continue   // or only those of the tiles
   *   context.globalAlpha = weights[0]![0]![query * keys.length + position]!
   *   context.fillRect(x, y, width, height)
   * }
   */
  readonly images?: readonly TextImage[]
}

/**
 * What recurrent layers retain of a text. Instead of attention, each head has a state: every token first multiplies it by its
 * decay, then writes to it.
 */
export interface Gates extends TextRead {
  /** The layers in `decay` and `write`, in that order. */
  readonly layers: readonly number[]
  /**
   * `[layer][head]`: T factors from 0 to 1. At 1 a token keeps the whole state, at 0 it forgets it. If each channel of a head
   * has its own factor (Mamba 1, RWKV, Kimi Linear), the mean of the channels.
   */
  readonly decay: readonly (readonly Float32Array[])[]
  /**
   * `[layer][head]`: how strongly each of the T tokens is written. For delta rules this is beta, from 0 to 1 (in RWKV 7 the mean of
   * the channels); for Mamba, the time step, above 0, which also determines the decay; for RWKV 6, which writes every token fully,
   * 1.
   */
  readonly write: readonly (readonly Float32Array[])[]
}

/**
 * - `mean`: the mean of the tokens' vectors
 * - `cls`, `last`: the vector of the first or the last token
 * - `none`: the vectors of all tokens, one after the other
 */
export type Pooling = 'mean' | 'cls' | 'last' | 'none'

export interface EmbedProgress {
  /** Number of texts embedded so far. */
  readonly done: number
  /** Number of texts given. */
  readonly total: number
}

export interface Classification {
  readonly label: string
  readonly probability: number
}

export interface ImageAttention {
  /** The image is divided into `patches` x `patches` squares, row by row. */
  readonly patches: number
  /** The layers in `weights`, in that order. */
  readonly layers: readonly number[]
  /** The heads in `weights`, in that order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: N x N with N = 1 + patches², row by row; each row sums to 1. Row and column 0 are the class token, which
   * represents the whole image; the patches follow.
   */
  readonly weights: readonly (readonly Float32Array[])[]
}
