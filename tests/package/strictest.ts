// Options that may be undefined, and every module's own types, under TypeScript's strictest settings; compiled by types.test.js, never run.
import { type ChatOptions, type GenerateOptions, loadModel, modelStore } from 'heed'
import { ChatTemplate } from 'heed/chat'
import type { HeedChat, HeedDownload } from 'heed/elements'
import { loadModel as loadInThread } from 'heed/in-thread'
import { isolate } from 'heed/isolation'
import { openai } from 'heed/openai'
import { createLanguageModel } from 'heed/prompt-api'
import { createTaskAPIs } from 'heed/task-apis'

interface Asked {
  signal?: AbortSignal
  seed?: number | undefined
}

export async function ask({ signal, seed }: Asked) {
  const signals = { signal: signal as AbortSignal | undefined }
  const model = await loadModel('x', { ...signals, onProgress: undefined, threads: undefined, adapters: undefined })
  const options: GenerateOptions = {
    ...signals,
    seed,
    stop: undefined,
    attention: undefined,
    jsonSchema: undefined,
    closed: undefined,
  }
  await model.generate('x', options)
  const chatting: ChatOptions = { ...options, tools: undefined, think: undefined }
  await model.chat([{ role: 'user', content: 'x', name: undefined }], {
    ...chatting,
    tools: [{ name: 'a', description: undefined, execute: undefined }],
  })
  await model.embed(['x'], { ...signals, pooling: undefined })
  await modelStore.download('x', { ...signals, hub: undefined })
  await (await loadInThread('x', signals)).dispose()
  await isolate()
  new ChatTemplate('x').render([], { tools: undefined, now: undefined })
  await openai(model, { closed: undefined }).chat.completions.create({ messages: [], seed }, signals)
  createTaskAPIs({ model: undefined, chat: { seed } })
  return createLanguageModel({ model: undefined, load: undefined })
}

export async function show(chat: HeedChat, bar: HeedDownload) {
  chat.options = { temperature: undefined, tools: [] }
  chat.loadOptions = { threads: undefined }
  chat.addEventListener('message', ({ detail }) => console.log(detail.role))
  chat.addEventListener('load', ({ detail }) => console.log(detail.info.threads))
  // @ts-expect-error the element gives this itself
  chat.options = { signal: undefined }
  await loadModel('x', { onProgress: bar.report })
  return chat.send([{ type: 'text', text: 'x' }])
}
