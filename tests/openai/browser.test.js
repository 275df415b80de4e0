// heed/openai in a page, in Chromium: both clients, under a policy that blocks other hosts.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { rolldown } from 'rolldown'
import { browserObstacle } from '../../tools/browsers/install.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serveSite } from '../browser/site.mjs'
import { useBrowser } from '../browser/support.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { call, weather } from './support.mjs'

const obstacle = browserObstacle('chromium')
const { inPage } = obstacle ? {} : useBrowser()

const long = Array.from({ length: 300 }, (_, at) => `${at} and on, `).join('')
const turns = [`<think>Hm.</think>Let me look. ${call('weather', { city: 'Bern' })}`, 'Rain in Bern.', long]
let site

/** OpenAI's package as one script. */
async function bundledClient() {
  const bundle = await rolldown({ input: inRoot('node_modules/openai/index.mjs'), platform: 'browser', logLevel: 'silent' })
  const {
    output: [{ code }],
  } = await bundle.generate({ format: 'es', codeSplitting: false })
  return code
}

before(async () => {
  if (obstacle) return
  const client = await bundledClient()
  site = await serveSite({
    change(dist) {
      writeFileSync(join(dist, '../client.js'), client)
      writeFileSync(join(dist, '../chat.gguf'), scriptedModel(turns))
      writeFileSync(join(dist, '../bert.gguf'), goldenBytes('bert'))
    },
  })
})
after(() => site?.close())

test('a conversation with tools, embeddings and an abort, with both clients', { skip: obstacle ?? false }, async () => {
  const told = await inPage(
    site,
    async tool => {
      const { loadModel } = globalThis.heed
      const [{ openai, heedFetch }, { OpenAI }] = await Promise.all([import('./dist/openai.js'), import('./client.js')])
      const [chat, bert] = await Promise.all([loadModel('chat.gguf'), loadModel('bert.gguf')])
      const models = { chat, bert }
      const remote = new OpenAI({
        apiKey: 'none',
        baseURL: 'https://heed.local/v1',
        fetch: heedFetch(models),
        dangerouslyAllowBrowser: true,
      })
      const converse = async client => {
        const messages = [{ role: 'user', content: 'Weather?' }]
        const asked = { model: 'chat', messages, tools: [tool], temperature: 0 }
        const {
          choices: [{ message, finish_reason }],
        } = await client.chat.completions.create(asked)
        messages.push(message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Rain.' })
        let text = '',
          pieces = 0
        for await (const {
          choices: [{ delta }],
        } of await client.chat.completions.create({ ...asked, stream: true })) {
          if (!delta.content) continue
          text += delta.content
          pieces++
        }
        messages.push({ role: 'assistant', content: text }, { role: 'user', content: 'Go on.' })
        let cut = ''
        for await (const {
          choices: [{ delta }],
        } of await client.chat.completions.create({ ...asked, stream: true })) {
          cut += delta.content
          if (cut.length > 10) break
        }
        const {
          data: [{ embedding }],
        } = await client.embeddings.create({ model: 'bert', input: 'a b' })
        const ids = (await client.models.list()).data.map(({ id }) => id)
        const error = await client.chat.completions.create({ ...asked, audio: {} }).catch(({ param }) => param)
        return {
          reasoning: message.reasoning_content,
          arguments: JSON.parse(message.tool_calls[0].function.arguments),
          finish_reason,
          text,
          isStreamed: pieces > 2,
          cut: cut.length,
          embedding,
          ids,
          error,
        }
      }
      const [direct, overFetch] = [await converse(openai(models)), await converse(remote)]
      await Promise.all([chat.dispose(), bert.dispose()])
      return { direct, overFetch }
    },
    weather,
  )
  for (const { cut, embedding, ...rest } of [told.direct, told.overFetch]) {
    assert.deepEqual(rest, {
      reasoning: 'Hm.',
      arguments: { city: 'Bern' },
      finish_reason: 'tool_calls',
      text: 'Rain in Bern.',
      isStreamed: true,
      ids: ['chat', 'bert'],
      error: 'audio',
    })
    assert.ok(cut > 10 && cut < 30)
    assert.deepEqual(embedding, told.direct.embedding)
    assert.ok(Math.abs(Math.hypot(...embedding) - 1) < 1e-5)
  }
})
