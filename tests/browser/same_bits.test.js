// Texts, logits and attention weights are the same bits as in Node, which other tests check against references.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { defaultModelBytes, forcing, needsShared, sharedFile } from '../package/support.mjs'
import { serveModel } from '../support/model_server.mjs'
import { modules, useBrowser } from './support.mjs'

const { sites, threads, inPage } = useBrowser()

/** A model's greedy text, and hashes of its logits and attention; runs in Node and in pages. */
async function results(model, { prompt, maxTokens }) {
  const hash = async values => {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', values))
    return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
  }
  const { text } = await model.generate(prompt, { maxTokens, temperature: 0 })
  const logits = await model.logits(await model.tokenize(prompt + text), { positions: 'all' })
  const { weights } = await model.attention(prompt + text)
  const attention = await Promise.all(weights.flat().map(hash))
  return { text, logits: await hash(logits), attention: attention.join() }
}

/** The results in Node, after checking that they are the same with every module on every site. */
async function resultsEverywhere(bytes, options) {
  const node = await loadModel(bytes)
  const expected = await results(node, options)
  await node.dispose()
  const server = await serveModel(bytes)
  try {
    for (const [name, asked] of [
      ['isolated', 1],
      ['isolated', 2],
      ['open', 2],
    ]) {
      for (const module of modules) {
        const load = { threads: asked, ...forcing(module) }
        const { info, ...given } = await inPage(
          sites[name],
          `async ({ url, load, options }) => {
          const model = await heed.loadModel(url, load)
          return { info: model.info, ...await (${results})(model, options) }
        }`,
          { url: `${server.url}/model`, load, options },
        )
        const where = `${name}, ${module}, threads: ${asked}`
        assert.equal(info.simd, load.simd ?? 'relaxed', where)
        assert.equal(info.memory64, module === 'memory64', where)
        assert.equal(info.threads, Math.min(asked, threads[name]), where)
        assert.deepEqual(given, expected, where)
      }
    }
  } finally {
    await server.close()
  }
  return expected
}

test('the default model gives the same results everywhere', async () => {
  const prompt = 'Write a story about a fox and a lantern.\n'
  const { text } = await resultsEverywhere(defaultModelBytes(), { prompt, maxTokens: 150 })
  assert.ok(text.length > 100)
})

test('stories260K generates its published text everywhere', needsShared, async () => {
  const bytes = readFileSync(sharedFile('models/stories260K.gguf'))
  const story = readFileSync(sharedFile('models/stories260K.txt'), 'utf8')
  const prompt = 'Once upon a time'
  const { text } = await resultsEverywhere(bytes, { prompt, maxTokens: 196 })
  assert.equal((prompt + text).slice(0, story.length), story)
})
