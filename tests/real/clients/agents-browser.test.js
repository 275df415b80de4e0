// OpenAI's agents in a page, in Chromium, with their defaults: a tool, a handoff and a stream, under a policy that blocks other hosts.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { browserObstacle } from '../../../tools/browsers/install.mjs'
import { serveSite } from '../../browser/site.mjs'
import { useBrowser } from '../../browser/support.mjs'
import { call } from '../../openai/support.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { fromNpm, realTest } from '../shelf.mjs'
import { agentPackages } from './support.mjs'

const obstacle = browserObstacle('chromium')
const { inPage } = obstacle ? {} : useBrowser()

/** The packages as one script. */
async function bundled(modules) {
  const entry = join(modules, '../agents-in-page.mjs')
  writeFileSync(entry, "export * from '@openai/agents'\nexport { default as OpenAI } from 'openai'\n")
  const bundle = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' })
  const {
    output: [{ code }],
  } = await bundle.generate({ format: 'es', codeSplitting: false })
  return code
}

realTest(
  '@openai/agents in a page',
  () => fromNpm('client--openai-agents', agentPackages),
  async (modules, t) => {
    if (obstacle) return t.skip(obstacle)
    const code = await bundled(modules)
    const site = await serveSite({
      change(dist) {
        writeFileSync(join(dist, '../agents.js'), code)
        writeFileSync(join(dist, '../front.gguf'), scriptedModel([call('transfer_to_Expert', {})]))
        writeFileSync(
          join(dist, '../expert.gguf'),
          scriptedModel(['.', `Let me look. ${call('weather', { city: 'Bern' })}`, 'Rain in Bern.']),
        )
      },
    })
    t.after(() => site.close())
    const told = await inPage(site, async () => {
      const { loadModel } = globalThis.heed
      const [{ heedFetch }, { Agent, OpenAI, run, setDefaultOpenAIClient, setTracingDisabled, tool }] = await Promise.all([
        import('./dist/openai.js'),
        import('./agents.js'),
      ])
      const [front, expert] = await Promise.all([loadModel('front.gguf'), loadModel('expert.gguf')])
      const fetch = heedFetch({ front, expert })
      setDefaultOpenAIClient(new OpenAI({ apiKey: 'none', baseURL: 'https://heed.local/v1', fetch, dangerouslyAllowBrowser: true }))
      setTracingDisabled(true)
      const cities = []
      const weather = tool({
        name: 'weather',
        description: 'Tells the weather.',
        strict: true,
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
        execute: ({ city }) => (cities.push(city), `Rain in ${city}.`),
      })
      const modelSettings = { temperature: 0 }
      const knows = new Agent({ name: 'Expert', model: 'expert', modelSettings, tools: [weather] })
      const asks = new Agent({ name: 'Front', model: 'front', modelSettings, instructions: 'Ask the expert.', handoffs: [knows] })
      const { finalOutput, lastAgent } = await run(asks, 'How is the weather?')
      const stream = await run(asks, 'How is the weather?', { stream: true })
      let text = ''
      for await (const delta of stream.toTextStream()) text += delta
      await Promise.all([front.dispose(), expert.dispose()])
      return { finalOutput, last: lastAgent.name, streamed: stream.finalOutput, text, cities }
    })
    assert.deepEqual(told, {
      finalOutput: 'Rain in Bern.',
      last: 'Expert',
      streamed: 'Rain in Bern.',
      text: 'Let me look.Rain in Bern.',
      cities: ['Bern', 'Bern'],
    })
  },
)
