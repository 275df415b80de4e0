// Translates the names that TransformerLens and SAELens give to points into points of a pass (src/nn/points.hpp); L stands for the
// layer. A word with several points stands for the one that its layer has, because layers of a model may differ.

const words: Readonly<Record<string, readonly string[]>> = {
  resid: ['resid.L'],
  resid_mid: ['resid.L.mid'],
  resid_post: ['resid.L'],
  attn_scale: ['attn.L.scale', 'gate.L.scale'],
  attn_normalized: ['attn.L.normalized', 'gate.L.normalized'],
  attn_norm: ['attn.L.in', 'gate.L.in'],
  q: ['attn.L.q', 'gate.L.q'],
  k: ['attn.L.k', 'gate.L.k'],
  v: ['attn.L.v', 'gate.L.v'],
  q_norm: ['attn.L.q_norm'],
  k_norm: ['attn.L.k_norm'],
  q_rot: ['attn.L.query'],
  k_rot: ['attn.L.key'],
  scores: ['attn.L.scores'],
  weights: ['attn.L.weights'],
  pattern: ['attn.L.weights'],
  z: ['head.L'],
  attn_gate: ['head.L.gate'],
  z_gated: ['head.L.gated'],
  attn_raw: ['attn.L.raw'],
  attn_post_scale: ['attn.L.post_scale'],
  attn_out: ['attn.L.out', 'gate.L.out'],
  log_decay: ['gate.L.decay'],
  beta: ['gate.L.write'],
  recurrence: ['gate.L.read'],
  mlp_scale: ['mlp.L.scale'],
  mlp_normalized: ['mlp.L.normalized'],
  mlp_norm: ['mlp.L.in'],
  router: ['router.L'],
  experts: ['experts.L'],
  expert_weights: ['experts.L.weights'],
  pre: ['mlp.L.pre'],
  up: ['mlp.L.up'],
  hidden: ['mlp.L.hidden'],
  mlp_raw: ['mlp.L.raw'],
  mlp_post_scale: ['mlp.L.post_scale'],
  mlp_out: ['mlp.L.out'],
}
const withoutLayer: Readonly<Record<string, readonly string[]>> = {
  token_embed: ['embed.token'],
  position_embed: ['embed.position'],
  hook_embed: ['embed.token', 'embed'],
  hook_pos_embed: ['embed.position'],
  final_scale: ['final.scale'],
  final_normalized: ['final.normalized'],
  final_norm: ['final'],
  'ln_final.hook_scale': ['final.scale'],
  'ln_final.hook_normalized': ['final.normalized'],
  logits_raw: ['logits.raw'],
}

/** The part of a hook's name after `blocks.L.`, as a word. */
const hooks: Readonly<Record<string, string>> = {
  hook_resid_pre: 'resid_pre',
  hook_resid_mid: 'resid_mid',
  hook_resid_post: 'resid_post',
  hook_attn_out: 'attn_out',
  hook_mlp_out: 'mlp_out',
  'ln1.hook_scale': 'attn_scale',
  'ln1.hook_normalized': 'attn_normalized',
  'ln1_post.hook_scale': 'attn_post_scale',
  'attn.hook_in': 'attn_norm',
  'attn.hook_q': 'q',
  'attn.hook_k': 'k',
  'attn.hook_v': 'v',
  'attn.q_norm.hook_out': 'q_norm',
  'attn.k_norm.hook_out': 'k_norm',
  'attn.hook_q_gate': 'attn_gate',
  'attn.hook_rot_q': 'q_rot',
  'attn.hook_rot_k': 'k_rot',
  'attn.hook_attn_scores': 'scores',
  'attn.hook_pattern': 'weights',
  'attn.hook_z': 'z',
  'ln2.hook_scale': 'mlp_scale',
  'ln2.hook_normalized': 'mlp_normalized',
  'ln2_post.hook_scale': 'mlp_post_scale',
  'mlp.hook_in': 'mlp_norm',
  'mlp.hook_pre': 'pre',
  'mlp.hook_pre_linear': 'up',
  'mlp.hook_post': 'hidden',
  'mlp.hook_router_scores': 'router',
  'mlp.hook_expert_indices': 'experts',
  'mlp.hook_out': 'mlp_raw',
  'attn.hook_out': 'attn_raw',
  'linear_attn.hook_q': 'q',
  'linear_attn.hook_k': 'k',
  'linear_attn.hook_v': 'v',
  'linear_attn.hook_beta': 'beta',
  'linear_attn.hook_log_decay': 'log_decay',
  'linear_attn.hook_recurrence_out': 'recurrence',
  'linear_attn.hook_gate_input': 'attn_gate',
  'linear_attn.hook_out': 'attn_out',
}
/** As `hooks`, for the names of modules in transformers, after `model.layers.L.`. */
const modules: Readonly<Record<string, string>> = {
  output: 'resid_post',
  'self_attn.o_proj.input': 'z',
  'post_attention_layernorm.output': 'attn_out',
  'pre_feedforward_layernorm.output': 'mlp_norm',
  'post_feedforward_layernorm.output': 'mlp_out',
}

/** A word and a layer, from a name such as `resid_post.3` or `blocks.3.hook_resid_post`; undefined for other names. */
function parsed(name: string): { word: string; layer: number } | undefined {
  const [, blocks, block, hook] = /^(blocks|model\.layers)\.(\d+)\.(.+)$/.exec(name) ?? []
  if (hook !== undefined) {
    const table = blocks === 'blocks' ? hooks : modules
    return Object.hasOwn(table, hook) ? { word: table[hook]!, layer: Number(block) } : undefined
  }
  const [, word, layer] = /^([a-z]+(?:_[a-z]+)*)\.(\d+)$/.exec(name) ?? []
  return word !== undefined && (word === 'resid_pre' || Object.hasOwn(words, word)) ? { word, layer: Number(layer) } : undefined
}

/**
 * The word and the layer of a name, such as `resid_post.3`; undefined for other names. Where no norm follows a block's output, the
 * output before the norm (`mlp.hook_out`) is the output that the block adds (`mlp_out`).
 */
export function wordFor(name: string, has: (point: string) => boolean): string | undefined {
  const found = parsed(name)
  if (!found) return undefined
  const { word, layer } = found
  const isPlain = (word === 'mlp_raw' || word === 'attn_raw') && !pointsFor(word, layer).some(has)
  return `${isPlain ? word.replace('raw', 'out') : word}.${layer}`
}

/** The points that may stand for a word at a layer: `resid_pre`, `z`, or a point's own name without the layer, such as `attn.out`. */
export function pointsFor(word: string, layer: number): string[] {
  if (word === 'resid_pre') return [layer === 0 ? 'embed' : `resid.${layer - 1}`]
  const [first, ...rest] = word.split('.')
  const forms = Object.hasOwn(words, word) ? words[word]! : [[first, 'L', ...rest].join('.')]
  return forms.map(form => form.replace('L', `${layer}`))
}

/** The point for a name; unknown names stay as they are. `has`: whether the model has a point. */
export function pointNamed(name: string, has: (point: string) => boolean): string {
  const found = has(name) ? undefined : parsed(name)
  const others = Object.hasOwn(withoutLayer, name) ? withoutLayer[name]! : [name]
  const points = found ? pointsFor(found.word, found.layer) : others
  return points.find(has) ?? points[0]!
}

/**
 * For a word whose values the point has by head and token instead of token and head: the function that converts a value of the
 * point to a value of the word. Undefined for other names.
 */
export function formOf(name: string): ((value: number) => number) | undefined {
  const word = parsed(name)?.word
  return word === 'beta' ? value => value : word === 'log_decay' ? Math.log : undefined
}
