// Prompts are byte for byte those of transformers, for every template and every conversation of the reference.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { promptText } from 'heed/chat'
import { needsShared, optionsOf, ownJson, sharedJson, sharedTemplates } from './support.mjs'

/** A text, or the kind and the message of an error. */
function outcome(template, conversation, options) {
  try {
    return { text: promptText(template.render(conversation.messages, { ...optionsOf(conversation), ...options })) }
  } catch (error) {
    assert.equal(error.code, 'template', error.stack)
    return { error: { kind: error.kind, message: error.reason } }
  }
}

const conversations = needsShared.skip ? [] : sharedJson('conversations.json').conversations

/** Templates that print no calls. */
const withoutCalls = ['Falcon-H1', 'LFM2-8B-A1B', 'SmolLM3-3B', 'granite-3.3-2b-instruct']

/** Whether the reference fails, or lacks calls, tools or the model's turn, so that only the adapted conversation renders correctly. */
const isAdapted = (name, { id, messages, tools }, expected) =>
  expected.error !== undefined ||
  (name === 'gemma-4-31B-it' && id === 'tool_pending') ||
  (name === 'SmolLM3-3B' && tools?.length > 0) ||
  (withoutCalls.includes(name) && messages.some(message => message.tool_calls?.length > 0))

for (const { name, template } of sharedTemplates()) {
  const renders = sharedJson(`renders/${name}.json`)
  test(`${name}: without adapting`, () => {
    for (const conversation of conversations) {
      const { text, error, continued } = renders[conversation.id]
      assert.deepEqual(
        outcome(template, conversation, { adapt: false }),
        text === undefined ? { error } : { text },
        conversation.id,
      )
      if (!conversation.continued || !continued?.text) continue
      const options = { ...optionsOf(conversation, true), addGenerationPrompt: undefined, adapt: error !== undefined }
      assert.deepEqual(outcome(template, conversation, options), { text: continued.text }, `${conversation.id}, continued`)
    }
  })

  test(`${name}: adapted if necessary`, () => {
    for (const conversation of conversations) {
      const expected = renders[conversation.id]
      const { text, error } = outcome(template, conversation)
      const texts = [expected.text, ...(expected.alternatives ?? []).map(alternative => alternative.text)]
      if (error) assert.deepEqual(error, expected.error, conversation.id)
      else if (!texts.includes(text)) assert.ok(isAdapted(name, conversation, expected), `${conversation.id}: ${text}`)
      if (expected.alternatives?.length > 0 && expected.error && !withoutCalls.includes(name))
        assert.ok(texts.includes(text), conversation.id)
    }
  })
}

test('the reference is complete', needsShared, () => {
  assert.ok(conversations.length >= 20)
  assert.ok(sharedTemplates().length >= 37)
})

const more = ownJson('renders')

for (const { name, template } of sharedTemplates('templates-more')) {
  test(`${name}: matches the reference`, () => {
    for (const conversation of conversations) {
      const { text, error } = outcome(template, conversation, { adapt: false })
      const short =
        text === undefined ? `${error.kind}: ${error.message}` : createHash('sha256').update(text).digest('hex').slice(0, 16)
      // Jinja's selectattr is lazy, so there this template calls raise_exception before it fails.
      const isLate = name === 'Mistral-7B-Instruct-v1-axolotl' && conversation.id === 'null_content'
      if (isLate) assert.equal(text, undefined)
      else assert.equal(short, more[name][conversation.id], conversation.id)
    }
  })
}
