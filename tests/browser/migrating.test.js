// Runs the manual's table for migrating from wllama: the calls of both libraries side by side, on one file.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { serveSite } from './site.mjs'
import { browserName, useBrowser } from './support.mjs'

const { inPage } = useBrowser()
const wllamaRuns = { skip: browserName === 'chromium' ? false : 'wllama is tried in Chromium' }
let site
before(async () => {
  site = await serveSite({
    policy: "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'", // wllama's worker is a blob that uses eval
    change(dist) {
      cpSync(inRoot('node_modules/@wllama/wllama/esm'), join(dist, '../wllama'), { recursive: true })
    },
  })
})
after(() => site.close())

test('Heed generates the same texts and answers as wllama', wllamaRuns, async () => {
  const { wllama: theirs, heed: ours } = await inPage(site, async () => {
    const { Wllama } = await import('./wllama/index.js')
    const url = 'dist/heed-stories.gguf',
      prompt = 'Write a story about a fox and a lantern.\n'
    // Answers that leave no choice: where two tokens are nearly as probable, as names in a story are, llama.cpp's 16-bit cache
    // may choose the other one. So the story ends before its first name.
    const messages = [
      {
        role: 'user',
        content:
          'An owl named Ada found a boat near the river. She gave the boat to a fox called Pip.\n\n' +
          'In what order did things happen?',
      },
    ]
    const blob = await (await fetch(url)).blob()

    const wllama = new Wllama({ default: new URL('wllama/wasm/wllama.wasm', location).href }, { suppressNativeLog: true })
    await wllama.loadModel([blob], { n_ctx: 512, n_threads: 1, n_gpu_layers: 0 })
    const completion = await wllama.createCompletion({ prompt, max_tokens: 9, temperature: 0 })
    let streamed = ''
    for await (const {
      choices: [choice],
    } of await wllama.createCompletion({ prompt, max_tokens: 9, temperature: 0, stream: true })) {
      streamed += choice?.text ?? ''
    }
    const chat = await wllama.createChatCompletion({ messages, max_tokens: 24, temperature: 0 })
    await wllama.exit()

    const model = await heed.loadModel(blob, { contextLength: 512, threads: 1 })
    const { text } = await model.generate(prompt, { maxTokens: 9, temperature: 0 })
    let tokens = ''
    for await (const token of model.generate(prompt, { maxTokens: 9, temperature: 0 })) tokens += token.text
    const answer = await model.chat(messages, { maxTokens: 24, temperature: 0 })
    await model.dispose()
    return {
      wllama: { text: completion.choices[0].text, streamed, answer: chat.choices[0].message.content },
      heed: { text, streamed: tokens, answer: answer.text },
    }
  })
  assert.ok(ours.text.length > 30 && ours.answer.length > 40)
  assert.deepEqual(theirs, ours)
})
