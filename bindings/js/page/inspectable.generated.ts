// Written by tools/contract from api/: the calls that read the inside of a model.
import type { AttentionParts, Attribution, Hidden, Lens, Trace, ValueNorms } from '../types/lab.js'
import type {
  AttentionOptions,
  AttentionPartsOptions,
  AttributeOptions,
  GatesOptions,
  HiddenOptions,
  LensOptions,
  TraceOptions,
  ValueNormsOptions,
} from '../types/options.generated.js'
import type { Attention, Gates } from '../types/results.js'
import type { Prompt } from '../types/text.js'
import { attentionOf, valueNormsOf } from './attention.js'
import { type Inspected, inspect } from './inspect.js'
import { lab } from './lab/lab.js'

/** The calls of a model that read its inside while it processes a text. */
export class Inspectable {
  readonly #inspected: Inspected

  /** @internal */
  constructor(inspected: Inspected) {
    this.#inspected = inspected
  }

  /**
   * The attention weights of each token of a text. For an encoder-decoder, the text is the decoder's output, after
   * `info.decoderStart`, and `source` is the encoder's input; for its `encoder` alone, the text is the encoder's input. Fails
   * with `context-overflow`, `invalid-argument` or `aborted`.
   *
   * @example
   * const { tokens, weights } = await model.attention('The fox was tired.', { layers: [2] })
   * weights[0]![3]   // layer 2, head 3: T x T, row q is what token q attends to
   *
   * @example
   * const { images, weights } = await vlm.attention([{ image }, 'A fox.'])   // loaded with a projector
   * images![0]!.patches[0]   // the first token of the image: its position, and the rectangle that it was made from
   */
  async attention(text: Prompt, options?: AttentionOptions): Promise<Attention> {
    const inspection = await inspect(this.#inspected, 'attention', text, options, 'attention')
    return attentionOf(inspection)
  }

  /**
   * The computation of one token's attention weights in one head: the query, the keys, their products, and the steps from these
   * to the weights. Fails with `context-overflow`, `invalid-argument`, `network` (if lab.js cannot be loaded) or `aborted`.
   *
   * @example
   * const { queryVector, keyVectors, scale, scores, weights } = await model.attentionParts('The fox was tired.', { layer: 2, head: 3 })
   * const sum = scores.reduce((sum, score) => sum + Math.exp(score), 0)
   * Math.exp(scores[1]!) / sum   // weights[1], where there is no sink
   */
  async attentionParts(text: Prompt, options: AttentionPartsOptions): Promise<AttentionParts> {
    const inspection = await inspect(this.#inspected, 'attentionParts', text, options, 'parts')
    return (await lab()).attentionPartsOf(inspection)
  }

  /**
   * The norm of each token's value after a head's part of the output matrix, as it enters the residual stream: a weight times
   * this norm measures the token's contribution (arXiv:2004.10102). A norm that may follow in the block is not applied.
   *
   * Fails with `unsupported` for heads with gates, `context-overflow`, `invalid-argument` or `aborted`.
   *
   * @example
   * const { norms } = await model.valueNorms('The fox was tired.', { layers: [2] })
   * norms[0]![3]   // layer 2, head 3: a number for each token
   */
  async valueNorms(text: Prompt, options?: ValueNormsOptions): Promise<ValueNorms> {
    const inspection = await inspect(this.#inspected, 'valueNorms', text, options, 'norms')
    return valueNormsOf(inspection)
  }

  /**
   * The gates of recurrent layers (Mamba, RWKV, delta rules), which control how much of a text they retain, token by token. A
   * head of Mamba 1 is a channel. Where each channel of a head has a gate of its own, this is their mean; `trace` has them all.
   * Fails with `unsupported` if the model has no such layers, `context-overflow`, `invalid-argument` or `aborted`.
   *
   * @example
   * const { tokens, decay } = await model.gates('The fox was tired.')
   * decay[0]![3]   // the first recurrent layer, head 3: how much of its state each token keeps
   */
  async gates(text: Prompt, options?: GatesOptions): Promise<Gates> {
    const inspection = await inspect(this.#inspected, 'gates', text, options, 'gates')
    return (await lab()).gatesOf(inspection)
  }

  /**
   * The values at named points of a pass over a text: `embed`; of each layer L `attn.L.query`, `.key`, `.value`, `.scores`,
   * `.weights` and `.out`, `head.L` (each head's output), `mlp.L.hidden` and `.out`, `router.L`, `gate.L.decay`, `.write` and
   * `.out`, and `resid.L`; `logits`. Points of an encoder begin with `encoder.`, of the attention to it with `cross.`. Positions
   * below 0 count from the end. Fails with `invalid-argument`, listing the model's points, if one does not exist;
   * `context-overflow` or `aborted`.
   *
   * @example
   * const { tensors } = await model.trace('The fox was tired.', { points: ['resid.5', 'attn.3.weights', 'mlp.4.out'], positions: [-1] })
   * tensors[0].shape   // [1, info.width]
   */
  async trace(text: Prompt, options: TraceOptions): Promise<Trace> {
    const inspection = await inspect(this.#inspected, 'trace', text, options, 'points')
    return (await lab()).traceOf(inspection)
  }

  /**
   * The residual stream of a text: the state after each layer, at each position. Fails with `unsupported` if the model has no
   * decoder, or an encoder beside it; `context-overflow`, `invalid-argument` or `aborted`.
   *
   * @example
   * const { states } = await model.hidden('The fox was tired.', { layers: [0, 5], positions: [-1] })
   * states[1]   // after layer 5, at the last position: info.width numbers
   *
   * @example
   * const { states, images } = await vlm.hidden([{ image: file }, 'A fox.'], { layers: [5] })   // loaded with a projector
   * images![0]!.patches[0]!.position   // whose state is that of the first token of the image
   */
  async hidden(text: Prompt, options?: HiddenOptions): Promise<Hidden> {
    const inspection = await inspect(this.#inspected, 'hidden', text, options)
    return (await lab()).hiddenOf(inspection)
  }

  /**
   * Each layer's prediction of the next token: the logit lens, which applies the model's final norm and head to the state after
   * each layer. Fails as `hidden` does, and with `invalid-argument` for one of `tokens` that the vocabulary lacks.
   *
   * @example
   * const { layers } = await model.lens('Once upon a time', { tokens: [' there'] })
   * for (const { layer, predictions: [last] } of layers) console.log(layer, last!.top[0]!.text, last!.logprobs[0])
   */
  async lens(text: Prompt, options?: LensOptions): Promise<Lens> {
    const inspection = await inspect(this.#inspected, 'lens', text, options)
    return (await lab()).lensOf(inspection)
  }

  /**
   * The contributions of the embedding, each head and each MLP to the logit of a next token, which add up to it (direct logit
   * attribution); or, with `against`, to the difference of two logits. Fails as `hidden` does, and with `unsupported` for
   * families whose residual stream is not a plain sum.
   *
   * @example
   * const { heads, mlp } = await model.attribute('Once upon a time', { token: ' there' })
   * heads[2]![3]   // what head 3 of layer 2 adds to the logit
   *
   * @example
   * const { sum, mlp } = await model.attribute('The fox was tired. The', { token: ' fox', against: ' owl' })
   */
  async attribute(text: Prompt, options?: AttributeOptions): Promise<Attribution> {
    const inspection = await inspect(this.#inspected, 'attribute', text, options)
    return inspection.answer
  }
}
