// Helpers of the tests of the AI SDK provider.
import { withModel } from '../package/support.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false // the tests check them

/** A tool call, as the scripted model writes it. */
export const call = (name, args) =>
  `<tool_call>\n${typeof args === 'string' ? args : JSON.stringify({ name, arguments: args })}\n</tool_call>`

/** Runs `body` with a model that answers with these turns. */
export const scripted = (turns, body, options) => withModel(scriptedModel(turns, options), { threads: 1 }, body)

export const collect = async parts => {
  const all = []
  for await (const part of parts) all.push(part)
  return all
}

/** A prompt with one message of the user. */
export const asks = text => [{ role: 'user', content: [{ type: 'text', text }] }]

/** For models without a template: just the last message, which the model continues. */
export const plainTemplate = "{{ messages[-1]['content'] + '\n' }}"

/** A model that records its prompts: `prompts` has their texts, including control tokens. */
export function watched(model) {
  const prompts = []
  return {
    info: model.info,
    prompts,
    generate() {},
    chatTemplate: name => model.chatTemplate(name),
    chat(messages, options) {
      const chat = model.chat(messages, options)
      const at = prompts.push(undefined) - 1
      return Object.assign(chat, {
        async *[Symbol.asyncIterator]() {
          yield* Object.getPrototypeOf(chat)[Symbol.asyncIterator].call(chat)
          const { steps } = await chat
          prompts[at] = (await model.detokenize(steps[0].promptIds, { special: true })).replaceAll('\u2581', ' ')
        },
      })
    },
  }
}
