// useChat without a server: its Chat class, with the SDK's own transport and with one that shows a download.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Chat } from '@ai-sdk/react'
import {
  convertToModelMessages,
  createUIMessageStream,
  DirectChatTransport,
  jsonSchema,
  streamText,
  tool,
  ToolLoopAgent,
  toUIMessageStream,
} from 'ai'
import { createHeed, heed } from 'heed/ai-sdk'
import { serveModel } from '../support/model_server.mjs'
import { programsOf, runnable } from '../support/snippets.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { call, scripted } from './support.mjs'

const bytes = scriptedModel(['Yes.'])
let server
before(async () => {
  server = await serveModel(bytes)
})
after(() => server.close())

const fail = error => {
  throw error
}
const textOf = message =>
  message.parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')
const clock = {
  description: 'Tells the time.',
  inputSchema: jsonSchema({ type: 'object', properties: { zone: { type: 'string' } } }),
}

test('a conversation, with reasoning and tools', () =>
  scripted(
    [`<think>\nWhat time is it?\n</think>\n\n${call('clock', { zone: 'CET' })}`, 'It is noon.', 'Still noon.'],
    async model => {
      const agent = new ToolLoopAgent({
        model: heed(model),
        temperature: 0,
        instructions: 'Be brief.',
        tools: { clock: tool({ ...clock, execute: () => ({ hour: 12 }) }) },
      })
      const chat = new Chat({ transport: new DirectChatTransport({ agent }), onError: fail })
      const states = new Set()
      chat['~registerMessagesCallback'](() => {
        for (const part of chat.messages.at(-1)?.parts ?? []) states.add(`${part.type} ${part.state ?? ''}`.trim())
      })
      await chat.sendMessage({ text: 'What time is it?' })
      assert.equal(chat.status, 'ready')
      const { parts } = chat.lastMessage
      assert.deepEqual(
        parts.map(({ type }) => type),
        ['step-start', 'reasoning', 'tool-clock', 'step-start', 'text'],
      )
      assert.equal(parts[1].text, 'What time is it?')
      assert.deepEqual([parts[2].state, parts[2].input, parts[2].output], ['output-available', { zone: 'CET' }, { hour: 12 }])
      for (const state of ['reasoning streaming', 'tool-clock input-streaming', 'tool-clock input-available', 'text streaming']) {
        assert.ok(states.has(state), state)
      }
      await chat.sendMessage({ text: 'And now?' })
      assert.deepEqual(
        chat.messages.map(message => [message.role, textOf(message)]),
        [
          ['user', 'What time is it?'],
          ['assistant', 'It is noon.'],
          ['user', 'And now?'],
          ['assistant', 'Still noon.'],
        ],
      )
      await chat.regenerate()
      assert.deepEqual([chat.messages.length, textOf(chat.lastMessage)], [4, 'Still noon.'])
    },
  ))

test('a tool that the page runs', () =>
  scripted([call('clock', {}), 'It is noon.'], async model => {
    const agent = new ToolLoopAgent({ model: heed(model), temperature: 0, tools: { clock: tool(clock) } })
    const chat = new Chat({
      transport: new DirectChatTransport({ agent }),
      onError: fail,
      sendAutomaticallyWhen: ({ messages }) => messages.at(-1).parts.at(-1).state === 'output-available',
    })
    await chat.sendMessage({ text: 'What time is it?' })
    const { toolCallId, state } = chat.lastMessage.parts.at(-1)
    assert.equal(state, 'input-available')
    await chat.addToolOutput({ tool: 'clock', toolCallId, output: 'noon' })
    while (chat.status !== 'ready') await new Promise(resolve => setTimeout(resolve, 5))
    assert.equal(textOf(chat.lastMessage), 'It is noon.')
  }))

test('stop keeps the text so far', () =>
  scripted(['A long answer that goes on and on and on, and then some more.'], async model => {
    const agent = new ToolLoopAgent({ model: heed(model), temperature: 0 })
    const chat = new Chat({ transport: new DirectChatTransport({ agent }), onError: fail })
    chat['~registerMessagesCallback'](() => {
      if (chat.lastMessage.role === 'assistant' && textOf(chat.lastMessage) !== '') chat.stop()
    })
    await chat.sendMessage({ text: 'Hi' })
    assert.equal(chat.status, 'ready')
    const text = textOf(chat.lastMessage)
    assert.ok(text !== '' && text.length < 50, text)
  }))

test('an error reaches the page', () =>
  scripted(['Yes.'], async model => {
    const agent = new ToolLoopAgent({ model: heed(model) })
    const errors = []
    const chat = new Chat({
      transport: new DirectChatTransport({ agent, onError: error => error.message }),
      onError: error => errors.push(error.message),
    })
    await chat.sendMessage({ text: 'x'.repeat(3000) })
    assert.equal(chat.status, 'error')
    assert.match(errors[0], /context/)
  }))

test('the download is a part of the message', async () => {
  const model = createHeed()(`${server.url}/slow`, { threads: 1 })
  const transport = {
    reconnectToStream: async () => null,
    sendMessages: async ({ messages, abortSignal }) =>
      createUIMessageStream({
        async execute({ writer }) {
          writer.write({ type: 'start' })
          await model.load(data => writer.write({ type: 'data-progress', id: 'download', data }))
          const { stream } = streamText({
            model,
            messages: await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
            abortSignal,
            temperature: 0,
          })
          writer.merge(toUIMessageStream({ stream, sendStart: false }))
        },
        onError: fail,
      }),
  }
  const chat = new Chat({ transport, onError: fail })
  const seen = new Set()
  chat['~registerMessagesCallback'](() => {
    const part = chat.messages.at(-1).parts.find(({ type }) => type === 'data-progress')
    if (part) seen.add(part.data.loaded)
  })
  await chat.sendMessage({ text: 'Hi' })
  const [progress] = chat.lastMessage.parts
  const { phase, loaded, total } = progress.data
  assert.deepEqual([progress.type, phase, loaded, total], ['data-progress', 'download', bytes.length, bytes.length])
  assert.ok(seen.size > 1, `${[...seen]}`)
  assert.equal(textOf(chat.lastMessage), 'Yes.')
  await (await model.load()).dispose()
})

/** The manual's transport, with this model and these tools. */
async function manualTransport(given, tools, change = code => code) {
  const block = programsOf('docs/apis/ai-sdk.md').find(({ source }) => source.includes('ChatTransport'))
  const code = change((await runnable(block)).replace(/^import .*$/gm, '').replace('export const', 'const'))
    .replace(/heed\(.chat\.gguf.\)/, 'given')
    .replace(/streamText\(\{/, 'streamText({ tools, temperature: 0,')
  const names = { given, tools, convertToModelMessages, createUIMessageStream, streamText, toUIMessageStream }
  return new Function(...Object.keys(names), `${code}\nreturn transport`)(...Object.values(names))
}

test("in the manual's transport, a conversation goes on after a call that was stopped before its result", () =>
  scripted([call('clock', {}), 'It is noon.'], async model => {
    const waiting = {
      clock: tool({
        ...clock,
        execute: (_, { abortSignal }) =>
          new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason))),
      }),
    }
    const stopped = async transport => {
      const errors = []
      const chat = new Chat({ transport, onError: error => errors.push(error.message) })
      chat['~registerMessagesCallback'](() => {
        if (
          chat.lastMessage.parts.some(({ type, state }) => type === 'tool-clock' && state === 'input-available') &&
          chat.messages.length === 2
        )
          chat.stop()
      })
      await chat.sendMessage({ text: 'What time is it?' })
      assert.deepEqual([chat.status, errors], ['ready', []])
      chat['~registerMessagesCallback'](() => {
        if (chat.messages.length === 4 && chat.lastMessage.parts.length > 0) chat.stop() // the model may call again
      })
      await chat.sendMessage({ text: 'And now?' })
      return errors
    }
    const given = heed(model)
    assert.deepEqual(await stopped(await manualTransport(given, waiting)), [])
    const without = await manualTransport(given, waiting, code => code.replace(/, \{ ignoreIncompleteToolCalls: true \}/, ''))
    assert.match((await stopped(without)).join(), /tool/i)
  }))
