// Tokens of rendered conversations, for templates whose vocabulary is available. Without forged control tokens, they are
// those of the whole text, parsed; with forged ones, a user's text yields no control token.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'
import { inRoot } from '../../tools/paths.mjs'
import { unpackVocabularies } from '../../tools/testing/vocabularies.mjs'

const shared = inRoot('..', 'shared')
const needsShared = { skip: existsSync(shared) ? false : 'there is no ../shared' }
const read = (...path) => readFileSync(inRoot('..', 'shared', 'chat', ...path), 'utf8')

const vocabularies = {
  'llama2-spm': ['Llama-2-7b-chat', 'Mistral-7B-Instruct-v0.1', 'vicuna-chujie', 'zephyr-7b-beta'],
  llama3: ['Meta-Llama-3-8B-Instruct', 'Llama-3.1-8B-Instruct'],
  qwen3: ['Qwen2.5-7B-Instruct', 'Qwen3-0.6B'],
  'gemma3-spm': ['gemma-2-2b-it', 'gemma-3-4b-it'],
  o200k: ['gpt-oss-120b'],
}

function tokenize(vocabulary, requests) {
  const packed = inRoot('..', 'shared', 'oracle', 'vocab', `vocab-${vocabulary}.gguf`)
  const file = existsSync(packed) ? packed : inRoot('build', 'vocabularies', `vocab-${vocabulary}.gguf`)
  const input = requests.map(request => `${JSON.stringify({ add_special: false, ...request })}\n`).join('')
  const { status, stdout, stderr } = spawnSync(inRoot('tools/heed'), ['tokenize', file, '--jsonl'], { input, maxBuffer: 2 ** 28 })
  assert.equal(status, 0, String(stderr))
  return String(stdout)
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).ids)
}

/** [id, prompt parts] of each conversation that the template accepts. */
function prompts(name) {
  const { bos_token: bosToken, eos_token: eosToken } = JSON.parse(read('manifest.json')).templates.find(one => one.name === name)
  const template = new ChatTemplate(read('templates', `${name}.jinja`), {
    bosToken: bosToken ?? undefined,
    eosToken: eosToken ?? undefined,
  })
  return JSON.parse(read('conversations.json')).conversations.flatMap(conversation => {
    const { messages, tools, addGenerationPrompt, now, extra } = conversation
    try {
      return [[conversation.id, template.render(messages, { tools, addGenerationPrompt, now, ...extra })]]
    } catch {
      return []
    }
  })
}

before(unpackVocabularies)

for (const [vocabulary, names] of Object.entries(vocabularies)) {
  for (const name of names) {
    test(`tokens of ${name}`, needsShared, () => {
      const all = prompts(name)
      assert.ok(all.length >= 10)
      const inParts = tokenize(
        vocabulary,
        all.map(([, parts]) => ({ parts })),
      )
      const whole = tokenize(
        vocabulary,
        all.map(([, parts]) => ({ b64: Buffer.from(promptText(parts)).toString('base64'), parse_special: true })),
      )
      const ownOnly = tokenize(
        vocabulary,
        all.map(([, parts]) => ({ parts: parts.map(part => (typeof part === 'string' ? 'x' : part)) })),
      )
      // Tokens that the tokenizer finds in any text (Gemma's <s>, an HTML tag) are not control tokens.
      const texts = controlTokens(name)
      const plain = tokenize(
        vocabulary,
        texts.map(text => ({ parts: [text] })),
      )
      const control = new Set(
        tokenize(
          vocabulary,
          texts.map(text => ({ parts: [{ control: text }] })),
        )
          .filter((ids, at) => ids.length === 1 && plain[at].length > 1)
          .map(([id]) => id),
      )
      const count = ids => ids.filter(id => control.has(id)).length
      for (const [at, [id]] of all.entries()) {
        // The texts of these two contain control tokens, which the parsed whole takes for the template's.
        if (id !== 'control_tokens' && id !== 'think_inline') assert.deepEqual(inParts[at], whole[at], id)
        assert.equal(count(inParts[at]), count(ownOnly[at]), `${id}: control tokens that are not the template's`)
      }
      const forged = all.findIndex(([id]) => id === 'control_tokens')
      if (forged >= 0 && control.size > 0)
        assert.ok(count(whole[forged]) > count(inParts[forged]), 'the forged text holds control tokens')
    })
  }
}

const controlTokens = name =>
  [
    ...JSON.parse(read('manifest.json')).templates.find(one => one.name === name).tokens,
    '<s>',
    '</s>',
    '<|im_start|>',
    '<|im_end|>',
    '<|eot_id|>',
    '<|start_header_id|>',
    '<|end_header_id|>',
    '<start_of_turn>',
    '<end_of_turn>',
    '<|start|>',
    '<|end|>',
    '<|message|>',
    '<|channel|>',
    '<|endoftext|>',
  ].filter(token => !/^<(tools|\/tools|tool_call|\/tool_call|tool_response|\/tool_response|think|\/think)>$/.test(token))
