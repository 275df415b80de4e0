// A model with predetermined answers: the assistant's first turn is the first text, and so on, whatever the prompt. It is a
// llama whose attention and MLP add nothing: after each token, one other is by far the most probable.
import { ggufFile } from '../../tools/bench/models/gguf.mjs'

/** ChatML with tools as in Hermes, except that the prompt ends with a control token for the next turn. */
export const scriptedTemplate = `{%- if tools %}<|im_start|>system
<tools>{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
</tools><|im_end|>
{% endif %}
{%- set turn = namespace(index=0) %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or '' }}
{%- for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% if message.role == 'assistant' %}{% set turn.index = turn.index + 1 %}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
<|turn{{ turn.index }}|>{% endif %}`

/** Splits a text into tokens that occur in no other text; `controls` are tokens already. */
function piecesOf(text, taken, controls) {
  const control = controls.find(marker => text.includes(marker))
  if (control !== undefined) {
    const at = text.indexOf(control)
    return [...piecesOf(text.slice(0, at), taken, controls), control, ...piecesOf(text.slice(at + control.length), taken, controls)]
  }
  const pieces = []
  const stored = piece => piece.replaceAll(' ', '\u2581')
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + 2 + ((pieces.length * 7 + at) % 5))
    while (end < text.length && taken.has(stored(text.slice(at, end)))) end++
    let piece = text.slice(at, end)
    while (taken.has(stored(piece))) piece = pieces.pop() + piece // at the end of the text: merge
    taken.add(stored(piece))
    pieces.push(piece)
    at = end
  }
  return pieces
}

/**
 * A GGUF file. `turns`: what the assistant says in its first turn, in its second one etc. (with `<think>` to reason, and
 * `<tool_call>` to call tools). Its control tokens are `<|im_start|>`, `<|im_end|>` (which ends each turn), `<|turn0|>`,
 * `<|turn1|>` etc., `controls`, each of which may occur once in all turns, and `spelled`, which turns write with ordinary tokens. With `endless`, a turn starts over where it would end, and
 * the first one follows any other text.
 *
 *     const model = await loadModel(scriptedModel(['Hello!']))
 *     (await model.chat([{ role: 'user', content: 'Hi' }], { temperature: 0 })).text  // 'Hello!'
 */
export function scriptedModel(
  turns,
  { context = 2048, template = scriptedTemplate, controls = [], spelled = [], endless = false } = {},
) {
  const tokens = [
    '<unk>',
    '<s>',
    '</s>',
    '<|im_start|>',
    '<|im_end|>',
    ...turns.map((_, index) => `<|turn${index}|>`),
    ...controls,
    ...spelled,
  ]
  const kinds = [2, ...tokens.slice(1).map(() => 3)] // unknown, control
  const add = (text, kind) => {
    kinds.push(kind)
    return tokens.push(text) - 1
  }
  for (let byte = 0; byte < 256; byte++) add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 6)
  const next = new Map()
  const end = tokens.indexOf('<|im_end|>')
  const taken = new Set()
  turns.forEach((text, index) => {
    const turn = tokens.indexOf(`<|turn${index}|>`)
    let last = turn
    for (const piece of piecesOf(text, taken, controls)) {
      // In a normal token, U+2581 is a space.
      const id = controls.includes(piece)
        ? tokens.indexOf(piece)
        : piece.includes('\u2581')
          ? add(piece, 4)
          : add(piece.replaceAll(' ', '\u2581'), 1)
      next.set(last, id)
      last = id
    }
    next.set(last, endless ? next.get(turn) : end)
  })
  const otherwise = endless ? next.get(tokens.indexOf('<|turn0|>')) : end

  const n = tokens.length
  const embedding = new Float32Array(n * n),
    head = new Float32Array(n * n)
  for (let token = 0; token < n; token++) {
    embedding[token * n + token] = 1
    head[(next.get(token) ?? otherwise) * n + token] = 4
  }
  const zeros = (name, rows, columns) => ({ name, shape: [rows, columns], values: new Float32Array(rows * columns) })
  const ones = name => ({ name, shape: [n], values: new Float32Array(n).fill(1) })
  const tensors = [
    { name: 'token_embd.weight', shape: [n, n], values: embedding },
    ones('blk.0.attn_norm.weight'),
    zeros('blk.0.attn_q.weight', 2, n),
    zeros('blk.0.attn_k.weight', 2, n),
    zeros('blk.0.attn_v.weight', 2, n),
    zeros('blk.0.attn_output.weight', n, 2),
    ones('blk.0.ffn_norm.weight'),
    zeros('blk.0.ffn_gate.weight', 1, n),
    zeros('blk.0.ffn_up.weight', 1, n),
    zeros('blk.0.ffn_down.weight', n, 1),
    ones('output_norm.weight'),
    { name: 'output.weight', shape: [n, n], values: head },
  ]
  return ggufFile(
    {
      'general.architecture': ['string', 'llama'],
      'general.name': ['string', 'scripted'],
      'llama.context_length': ['u32', context],
      'llama.embedding_length': ['u32', n],
      'llama.block_count': ['u32', 1],
      'llama.feed_forward_length': ['u32', 1],
      'llama.attention.head_count': ['u32', 1],
      'llama.attention.key_length': ['u32', 2],
      'llama.attention.value_length': ['u32', 2],
      'llama.attention.layer_norm_rms_epsilon': ['f32', 1e-5],
      'tokenizer.ggml.model': ['string', 'llama'],
      'tokenizer.ggml.tokens': ['string', tokens],
      'tokenizer.ggml.scores': ['f32', tokens.map(() => 0)],
      'tokenizer.ggml.token_type': ['i32', kinds],
      'tokenizer.ggml.unknown_token_id': ['u32', 0],
      'tokenizer.ggml.bos_token_id': ['u32', 1],
      'tokenizer.ggml.eos_token_id': ['u32', end],
      'tokenizer.ggml.add_space_prefix': ['bool', false],
      'tokenizer.chat_template': ['string', template],
    },
    tensors,
  )
}
