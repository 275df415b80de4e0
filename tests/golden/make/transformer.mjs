// The Transformer of 2017 (arXiv:1706.03762) as the paper has it, in double precision and without any cleverness: the
// reference for what llama.cpp does not know.

const softmax = scores => {
  const top = Math.max(...scores)
  const exponentials = scores.map(score => Math.exp(score - top))
  const sum = exponentials.reduce((a, b) => a + b)
  return exponentials.map(value => value / sum)
}
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0)
const plus = (a, b) => a.map((value, i) => value + b[i])

/** A model's weights by name; `x` and results are lists of vectors, one a token. */
class Reference {
  constructor(weights, { width, layers, heads, epsilon }) {
    Object.assign(this, { weights, width, layers, heads, epsilon })
  }

  row(name, i, columns) {
    return Array.from(this.weights.get(name).subarray(i * columns, (i + 1) * columns))
  }

  linear(name, x) {
    const bias = this.weights.get(`${name}.bias`)
    const rows = Array.from(bias, (_, i) => this.row(`${name}.weight`, i, x[0].length))
    return x.map(vector => rows.map((row, i) => dot(row, vector) + bias[i]))
  }

  norm(name, x) {
    const weight = this.weights.get(`${name}.weight`)
    const bias = this.weights.get(`${name}.bias`)
    return x.map(vector => {
      const mean = vector.reduce((a, b) => a + b) / vector.length
      const variance = vector.reduce((sum, value) => sum + (value - mean) ** 2, 0) / vector.length
      return vector.map((value, i) => (value - mean) / Math.sqrt(variance + this.epsilon) * weight[i] + bias[i])
    })
  }

  /** Queries from x, keys and values from memory; causal: query t sees memory up to t. */
  attention(name, x, memory, causal) {
    const [q, k, v] = [['q', x], ['k', memory], ['v', memory]].map(([role, from]) => this.linear(`${name}_${role}`, from))
    const dim = this.width / this.heads
    const part = (vector, head) => vector.slice(head * dim, (head + 1) * dim)
    const mixed = q.map((query, t) => Array.from({ length: this.heads }, (_, head) => {
      const seen = causal ? t + 1 : memory.length
      const weights = softmax(k.slice(0, seen).map(key => dot(part(query, head), part(key, head)) / Math.sqrt(dim)))
      return weights.map((weight, i) => part(v[i], head).map(value => weight * value)).reduce(plus)
    }).flat())
    return this.linear(`${name}_o`, mixed)
  }

  mlp(name, x) {
    const hidden = this.linear(`${name}ffn_up`, x).map(vector => vector.map(value => Math.max(value, 0)))
    return this.linear(`${name}ffn_down`, hidden)
  }

  embed(tokens) {
    return tokens.map((token, position) => this.row('token_embd.weight', token, this.width).map((value, i) => {
      const angle = position / 10000 ** (2 * Math.floor(i / 2) / this.width)
      return value * Math.sqrt(this.width) + (i % 2 === 0 ? Math.sin(angle) : Math.cos(angle))
    }))
  }

  /** norm(x + change) */
  add(x, change, name) {
    return this.norm(name, x.map((vector, t) => plus(vector, change[t])))
  }

  encode(tokens) {
    let x = this.embed(tokens)
    for (let i = 0; i < this.layers; i++) {
      const layer = `enc.blk.${i}.`
      x = this.add(x, this.attention(`${layer}attn`, x, x, false), `${layer}attn_output_norm`)
      x = this.add(x, this.mlp(layer, x), `${layer}layer_output_norm`)
    }
    return x
  }

  decode(tokens, encoded) {
    let x = this.embed(tokens)
    for (let i = 0; i < this.layers; i++) {
      const layer = `dec.blk.${i}.`
      x = this.add(x, this.attention(`${layer}attn`, x, x, true), `${layer}attn_output_norm`)
      x = this.add(x, this.attention(`${layer}cross_attn`, x, encoded, false), `${layer}cross_attn_output_norm`)
      x = this.add(x, this.mlp(layer, x), `${layer}layer_output_norm`)
    }
    return x
  }
}

/** Logits of the decoder's tokens, in one row. The head is the embedding. */
export function transformerLogits(weights, shape, tokens, decoderTokens) {
  const reference = new Reference(weights, shape)
  const vocabulary = weights.get('token_embd.weight').length / shape.width
  const rows = Array.from({ length: vocabulary }, (_, i) => reference.row('token_embd.weight', i, shape.width))
  const decoded = reference.decode(decoderTokens, reference.encode(tokens))
  return Float32Array.from(decoded.flatMap(vector => rows.map(row => dot(row, vector))))
}
