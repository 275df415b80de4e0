// Models that llama.cpp does not support, computed directly from their papers, in double precision.

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0)
const plus = (a, b) => a.map((value, i) => value + b[i])
const addRows = (a, b) => a.map((vector, t) => plus(vector, b[t]))

export function softmax(scores) {
  const top = Math.max(...scores)
  const exponentials = scores.map(score => Math.exp(score - top))
  const sum = exponentials.reduce((a, b) => a + b)
  return exponentials.map(value => value / sum)
}

/** The series with positive terms, https://dlmf.nist.gov/7.6 (7.6.2). */
function erf(x) {
  let sum = 0
  for (let n = 0, term = x; n < 200; n++, term *= (2 * x * x) / (2 * n + 1)) sum += term
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

const relu = x => Math.max(x, 0)
const gelu = x => (x / 2) * (1 + erf(x / Math.SQRT2))
const quickGelu = x => x / (1 + Math.exp(-1.702 * x))

/** The blocks, by the names of their tensors. `x` and results are lists of vectors, one per token. */
class Blocks {
  constructor(weights, { width, heads, epsilon }) {
    Object.assign(this, { weights, width, heads, epsilon })
  }

  vector(name) {
    return Array.from(this.weights.get(name))
  }

  rows(name, columns) {
    const values = this.vector(name)
    const row = i => values.slice(i * columns, (i + 1) * columns)
    return Array.from({ length: values.length / columns }, (_, i) => row(i))
  }

  linear(name, x) {
    const rows = this.rows(`${name}.weight`, x[0].length)
    const bias = this.weights.get(`${name}.bias`)
    return x.map(vector => rows.map((row, i) => dot(row, vector) + (bias ? bias[i] : 0)))
  }

  norm(name, x) {
    const [weight, bias] = [this.vector(`${name}.weight`), this.vector(`${name}.bias`)]
    return x.map(vector => {
      const mean = vector.reduce((a, b) => a + b) / vector.length
      const variance = vector.reduce((sum, value) => sum + (value - mean) ** 2, 0) / vector.length
      const deviation = Math.sqrt(variance + this.epsilon)
      return vector.map((value, i) => ((value - mean) / deviation) * weight[i] + bias[i])
    })
  }

  /** Queries from x, keys and values from memory; causal: query t sees memory up to t. */
  attention(name, x, { memory = x, causal = false, output = 'o' } = {}) {
    const [q, k, v] = [x, memory, memory].map((from, i) => this.linear(`${name}_${'qkv'[i]}`, from))
    const dim = this.width / this.heads
    const part = (vector, head) => vector.slice(head * dim, (head + 1) * dim)
    const mixed = q.map((query, t) =>
      Array.from({ length: this.heads }, (_, head) => {
        const seen = k.slice(0, causal ? t + 1 : memory.length)
        const weights = softmax(seen.map(key => dot(part(query, head), part(key, head)) / Math.sqrt(dim)))
        return weights.map((weight, i) => part(v[i], head).map(value => weight * value)).reduce(plus)
      }).flat(),
    )
    return this.linear(`${name}_${output}`, mixed)
  }

  mlp(layer, x, activation) {
    const hidden = this.linear(`${layer}ffn_up`, x).map(vector => vector.map(activation))
    return this.linear(`${layer}ffn_down`, hidden)
  }
}

/** The Transformer (arXiv:1706.03762): logits of the decoder's tokens. The head is the embedding. */
export function transformerLogits(weights, shape, tokens, decoderTokens) {
  const blocks = new Blocks(weights, shape)
  const table = blocks.rows('token_embd.weight', shape.width)
  const embed = ids =>
    ids.map((id, position) =>
      table[id].map((value, i) => {
        const angle = position / 10000 ** ((2 * Math.floor(i / 2)) / shape.width)
        return value * Math.sqrt(shape.width) + (i % 2 === 0 ? Math.sin(angle) : Math.cos(angle))
      }),
    )
  const add = (x, change, name) => blocks.norm(name, addRows(x, change))

  let encoded = embed(tokens)
  for (let i = 0; i < shape.layers; i++) {
    const layer = `enc.blk.${i}.`
    encoded = add(encoded, blocks.attention(`${layer}attn`, encoded), `${layer}attn_output_norm`)
    encoded = add(encoded, blocks.mlp(layer, encoded, relu), `${layer}layer_output_norm`)
  }
  let x = embed(decoderTokens)
  for (let i = 0; i < shape.layers; i++) {
    const layer = `dec.blk.${i}.`
    x = add(x, blocks.attention(`${layer}attn`, x, { causal: true }), `${layer}attn_output_norm`)
    const looked = blocks.attention(`${layer}cross_attn`, x, { memory: encoded })
    x = add(x, looked, `${layer}cross_attn_output_norm`)
    x = add(x, blocks.mlp(layer, x, relu), `${layer}layer_output_norm`)
  }
  return x.map(vector => table.map(row => dot(row, vector)))
}

/** A stack of pre-norm layers. */
function tower(blocks, prefix, layers, x, { causal, activation }) {
  for (let i = 0; i < layers; i++) {
    const layer = `${prefix}blk.${i}.`
    x = addRows(x, blocks.attention(`${layer}attn`, blocks.norm(`${layer}ln1`, x), { causal, output: 'out' }))
    x = addRows(x, blocks.mlp(layer, blocks.norm(`${layer}ln2`, x), activation))
  }
  return blocks.norm(`${prefix}post_ln`, x)
}

/** `rgba`: the bytes of an image in the model's own size. Returns one vector for the whole image, then one per patch. */
function vision(blocks, shape, rgba, { activation, preNorm }) {
  const { image, patch, mean, deviation } = shape
  const side = image / patch
  const color = (channel, y, x) => (rgba[(y * image + x) * 4 + channel] / 255 - mean[channel]) / deviation[channel]
  const patches = Array.from({ length: side ** 2 }, (_, p) => {
    const [top, left] = [Math.floor(p / side) * patch, (p % side) * patch]
    return Array.from({ length: 3 * patch ** 2 }, (_, i) =>
      color(Math.floor(i / patch ** 2), top + (Math.floor(i / patch) % patch), left + (i % patch)),
    )
  })
  const tokens = [blocks.vector('v.class_embd'), ...blocks.linear('v.patch_embd', patches)]
  const placed = addRows(tokens, blocks.rows('v.position_embd.weight', shape.width))
  const x = preNorm ? blocks.norm('v.pre_ln', placed) : placed
  return tower(blocks, 'v.', shape.layers, x, { activation })
}

/** ViT (arXiv:2010.11929): hidden vectors, the class token's as the embedding, and class probabilities. */
export function vit(weights, shape, rgba) {
  const blocks = new Blocks(weights, shape)
  const hidden = vision(blocks, shape, rgba, { activation: gelu })
  return { hidden, pooled: [hidden[0]], classes: blocks.linear('v.head', [hidden[0]]).map(softmax) }
}

/** CLIP's image tower (arXiv:2103.00020): hidden vectors, and the embedding. */
export function clipVision(weights, shape, rgba) {
  const blocks = new Blocks(weights, shape)
  const hidden = vision(blocks, shape, rgba, { activation: quickGelu, preNorm: true })
  return { hidden, pooled: blocks.linear('visual_projection', [hidden[0]]) }
}

/** CLIP's text tower; pooled: mean, first and last vector, projected. */
export function clipText(weights, shape, tokens) {
  const blocks = new Blocks(weights, shape)
  const embedded = blocks.rows('t.token_embd.weight', shape.width)
  const positions = blocks.rows('t.position_embd.weight', shape.width)
  const x = tokens.map((token, position) => plus(embedded[token], positions[position]))
  const hidden = tower(blocks, 't.', shape.layers, x, { causal: true, activation: quickGelu })
  const mean = hidden.reduce(plus).map(value => value / hidden.length)
  return { hidden, pooled: blocks.linear('text_projection', [mean, hidden[0], hidden.at(-1)]) }
}
