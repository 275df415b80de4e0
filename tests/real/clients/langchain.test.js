// LangChain's model, and LangGraph's loop of tools over it; and the agent of the manual, over heed/langchain.
import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../../../tools/paths.mjs'
import { call } from '../../openai/support.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { blocksOf } from '../../support/snippets.mjs'
import { fromNpm, realTest } from '../shelf.mjs'
import { baseURL, city, clientTest, place } from './support.mjs'

const packages = { '@langchain/openai': '1.6.0', '@langchain/core': '1.4.0', langchain: '1.5.14', '@langchain/langgraph': '1.7.3' }

realTest(
  'LangChain: the agent of the manual',
  () => fromNpm('client-langchain', packages),
  async modules => {
    const { source } = blocksOf('docs/apis/langchain.md').find(({ language }) => language === 'js')
    const folder = join(modules, '..')
    const model = join(folder, 'chat.gguf')
    writeFileSync(model, scriptedModel([call('weather', { city: 'Bern' }), 'Rain in Bern.']))
    copyFileSync(inRoot('dist/langchain.js'), join(folder, 'heed-langchain.mjs')) // beside the one copy of LangChain's core
    const program = source
      .replace("'heed'", `'${pathToFileURL(inRoot('dist/index.node.js'))}'`)
      .replace("'heed/langchain'", "'./heed-langchain.mjs'")
      .replace("'chat.gguf'", JSON.stringify(model))
    const file = join(folder, 'agent.mjs')
    writeFileSync(file, `${program}export { messages }\n`)
    const { messages } = await import(pathToFileURL(file))
    assert.deepEqual(
      messages.map(({ type, content }) => [type, content]),
      [
        ['human', 'What is the weather like in Bern?'],
        ['ai', ''],
        ['tool', 'It is raining in Bern.'],
        ['ai', 'Rain in Bern.'],
      ],
    )
    const form = join(folder, 'form.mjs')
    writeFileSync(
      form,
      `import { createAgent, providerStrategy, toolStrategy } from 'langchain'
import { loadModel } from '${pathToFileURL(inRoot('dist/index.node.js'))}'
import { ChatHeed } from './heed-langchain.mjs'
import { z } from 'zod'

export const place = z.object({ name: z.string().max(20), size: z.enum(['small', 'large']) })
const model = new ChatHeed({ model: await loadModel(undefined, { threads: 1 }), temperature: 0, maxTokens: 200 })
export const answers = []
for (const responseFormat of [place, providerStrategy(place), toolStrategy(place)]) {
  const { structuredResponse } = await createAgent({ model, tools: [], responseFormat }).invoke({
    messages: [{ role: 'user', content: 'Where does the story happen?' }],
  })
  answers.push(structuredResponse)
}
`,
    )
    const { place, answers } = await import(pathToFileURL(form))
    assert.equal(answers.length, 3)
    for (const answer of answers) assert.ok(place.safeParse(answer).success, JSON.stringify(answer))
  },
)

clientTest(
  'LangChain',
  packages,
  async ({ load, fetch }) => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const { createAgent, tool } = await load('langchain')
    const llm = model => new ChatOpenAI({ model, apiKey: 'none', temperature: 0, maxRetries: 0, configuration: { baseURL, fetch } })
    const agent = (model, run) =>
      createAgent({ model: llm(model), tools: [tool(run, { name: 'weather', description: 'Tells the weather.', schema: city })] })
    const asked = content => ({ messages: [{ role: 'user', content }] })
    return {
      ask: async (model, text) => (await llm(model).invoke(text)).content,
      async *stream(model, text, signal) {
        for await (const { content } of await llm(model).stream(text, { signal })) yield content
      },
      call: async (model, text, run) => (await agent(model, run).invoke(asked(text))).messages.at(-1).content,
      async callStreaming(model, text, run) {
        let last = ''
        for await (const [piece, { langgraph_step: step }] of await agent(model, run).stream(asked(text), {
          streamMode: 'messages',
        })) {
          if (step === 3) last += piece.content
        }
        return last
      },
      fill: (model, text) => llm(model).withStructuredOutput(place, { name: 'place' }).invoke(text),
      every: async () =>
        (
          await new ChatOpenAI({
            model: 'chat',
            apiKey: 'none',
            temperature: 0,
            maxRetries: 0,
            configuration: { baseURL, fetch },
            topP: 1,
            frequencyPenalty: 0,
            presencePenalty: 0,
            n: 1,
            logitBias: {},
            stop: ['xyz'],
            user: 'me',
            logprobs: true,
            topLogprobs: 1,
            maxTokens: 100,
            modalities: ['text'],
            reasoning: { effort: 'low' },
            service_tier: 'flex',
            verbosity: 'low',
            promptCacheKey: 'a',
            promptCacheRetention: '24h',
            modelKwargs: { store: true, safety_identifier: 'me' },
          }).invoke('Hi', { seed: -1, stream_options: { include_usage: true }, prediction: { type: 'content', content: 'x' } })
        ).content,
      see: async (model, text, url) =>
        (
          await llm(model).invoke([
            {
              role: 'user',
              content: [
                { type: 'text', text },
                { type: 'image_url', image_url: { url } },
              ],
            },
          ])
        ).content,
    }
  },
  {
    sends:
      'frequency_penalty logit_bias logprobs max_tokens messages modalities model n prediction presence_penalty prompt_cache_key prompt_cache_retention response_format safety_identifier seed service_tier stop store stream stream_options temperature tools top_logprobs top_p user verbosity',
    messages: 'content name role tool_call_id tool_calls',
    warned: 'prediction store stream_options verbosity',
  },
)
