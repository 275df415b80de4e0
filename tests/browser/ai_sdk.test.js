// The AI SDK in a page, without a server and under a strict policy: the parts of useChat, with a downloaded model.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pageModule } from '../support/page_modules.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const { inPage } = useBrowser()
const turns = [
  '<think>\nWhat time is it?\n</think>\n\n<tool_call>\n{"name": "clock", "arguments": {"zone": "CET"}}\n</tool_call>',
  'It is noon.',
]
let site

before(async () => {
  const files = {
    'ai.js': await pageModule('ai', '@ai-sdk/react'),
    'chat.gguf': scriptedModel(turns),
    'bert.gguf': goldenBytes('bert'),
  }
  site = await serveSite({
    change(dist) {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, '..', name), content)
    },
  })
})
after(() => site.close())

test('holds a conversation with a tool, and reports the download', async () => {
  const { parts, status, states } = await inPage(site, async () => {
    const [ai, { heed }] = await Promise.all([import('./ai.js'), import('./dist/ai-sdk.js')])
    const model = heed('chat.gguf', { threads: 2 })
    const clock = ai.tool({
      description: 'Tells the time.',
      inputSchema: ai.jsonSchema({ type: 'object', properties: { zone: { type: 'string' } } }),
      execute: () => ({ hour: 12 }),
    })
    const transport = {
      reconnectToStream: async () => null,
      sendMessages: async ({ messages, abortSignal }) =>
        ai.createUIMessageStream({
          async execute({ writer }) {
            writer.write({ type: 'start' })
            await model.load(data => writer.write({ type: 'data-progress', id: 'download', data }))
            const { stream } = ai.streamText({
              model,
              messages: await ai.convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
              abortSignal,
              temperature: 0,
              tools: { clock },
              stopWhen: ai.isStepCount(5),
            })
            writer.merge(ai.toUIMessageStream({ stream, sendStart: false }))
          },
        }),
    }
    const chat = new ai.Chat({ transport })
    const states = new Set()
    chat['~registerMessagesCallback'](() => {
      for (const { type, state } of chat.lastMessage.parts) states.add(`${type} ${state}`)
    })
    await chat.sendMessage({ text: 'What time is it?' })
    await (await model.load()).dispose()
    return { parts: chat.lastMessage.parts, status: chat.status, states: [...states] }
  })
  assert.equal(status, 'ready')
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['data-progress', 'step-start', 'reasoning', 'tool-clock', 'step-start', 'text'],
  )
  assert.equal(parts[0].data.loaded, parts[0].data.total)
  assert.deepEqual([parts[3].state, parts[3].input, parts[3].output], ['output-available', { zone: 'CET' }, { hour: 12 }])
  assert.equal(parts[5].text, turns[1])
  assert.ok(states.includes('text streaming') && states.includes('tool-clock input-streaming'), states)
})

test('aborts a stream, and embeds a text', async () => {
  const { aborted, again, tokens, width } = await inPage(site, async () => {
    const [{ embed, streamText }, { heed }] = await Promise.all([import('./ai.js'), import('./dist/ai-sdk.js')])
    const model = heed('chat.gguf')
    const controller = new AbortController()
    let aborted = false
    const { textStream, reasoningText } = streamText({
      model,
      prompt: 'Hi',
      temperature: 0,
      abortSignal: controller.signal,
      onAbort() {
        aborted = true
      },
      onError() {},
      onChunk: () => controller.abort(),
    })
    reasoningText.then(
      () => {},
      () => {},
    )
    for await (const _ of textStream) controller.abort()
    const again = await streamText({ model, prompt: 'Hi', temperature: 0 }).reasoningText
    const { embedding, usage } = await embed({ model: heed.embedding('bert.gguf'), value: 'the fox' })
    return { aborted, again, tokens: usage.tokens, width: embedding.length }
  })
  assert.deepEqual([aborted, again, width], [true, 'What time is it?', 32])
  assert.ok(tokens > 2)
})
