// heed/langchain with LangChain's core: a chat model, its tools and its structured answers, embeddings and a reranker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Document } from '@langchain/core/documents'
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { tool } from '@langchain/core/tools'
import { loadModel } from 'heed'
import { ChatHeed, HeedEmbeddings, HeedReranker } from 'heed/langchain'
import { z } from 'zod'
import { goldenFile } from '../support/golden.mjs'
import { reranker } from '../support/reranker.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { rejectsWith, withModel } from './support.mjs'

const call = (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const scripted = (turns, body) =>
  withModel(scriptedModel(turns), { threads: 1 }, model => body(new ChatHeed({ model, temperature: 0 }), model))
const weather = tool(async ({ city }) => `It rains in ${city}.`, {
  name: 'weather',
  description: 'Tells the weather.',
  schema: z.object({ city: z.string() }),
})

test('a model answers, and says how many tokens it took', () =>
  scripted(['<think>\nA greeting.\n</think>\n\nHello!'], async chat => {
    const { content, usage_metadata, response_metadata, additional_kwargs } = await chat.invoke([
      new SystemMessage('Be brief.'),
      new HumanMessage('Hi'),
    ])
    assert.equal(content, 'Hello!')
    assert.equal(additional_kwargs.reasoning_content.trim(), 'A greeting.')
    assert.equal(response_metadata.finish_reason, 'stop')
    assert.equal(usage_metadata.total_tokens, usage_metadata.input_tokens + usage_metadata.output_tokens)
    assert.ok(usage_metadata.input_tokens > 0 && usage_metadata.output_tokens > 0)
  }))

test('a stream has the same text in pieces, in a chain and in batches', () =>
  scripted(['Hello, who is there?'], async chat => {
    let whole
    const pieces = []
    for await (const piece of await chat.stream('Hi')) {
      whole = whole ? whole.concat(piece) : piece
      pieces.push(piece.content)
    }
    assert.equal(whole.content, 'Hello, who is there?')
    assert.ok(pieces.filter(text => text !== '').length > 1)
    assert.ok(whole.usage_metadata.output_tokens > 0)
    const chain = ChatPromptTemplate.fromTemplate('Greet {name}.').pipe(chat).pipe(new StringOutputParser())
    assert.equal(await chain.invoke({ name: 'Ann' }), 'Hello, who is there?')
    const texts = await chain.batch([{ name: 'Ann' }, { name: 'Bob' }])
    assert.deepEqual(texts, ['Hello, who is there?', 'Hello, who is there?'])
  }))

test('tools are called, streamed, and answered', () =>
  scripted([call('weather', { city: 'Bern' }), 'Take a coat.'], async chat => {
    const bound = chat.bindTools([weather])
    const asked = [new HumanMessage('What is the weather like in Bern?')]
    const answer = await bound.invoke(asked)
    assert.deepEqual(
      answer.tool_calls.map(({ name, args }) => [name, args]),
      [['weather', { city: 'Bern' }]],
    )
    let whole
    for await (const piece of await bound.stream(asked)) whole = whole ? whole.concat(piece) : piece
    assert.deepEqual(
      whole.tool_calls.map(({ name, args }) => [name, args]),
      [['weather', { city: 'Bern' }]],
    )
    const result = await weather.invoke(answer.tool_calls[0])
    assert.ok(result instanceof ToolMessage)
    const { content } = await bound.invoke([...asked, answer, result])
    assert.equal(content, 'Take a coat.')
  }))

test('a call that must be made is made, by any model', async () => {
  const model = await loadModel(undefined, { threads: 1 })
  try {
    const chat = new ChatHeed({ model, temperature: 0, maxTokens: 200 })
    for (const choice of ['any', 'weather', { type: 'function', function: { name: 'weather' } }]) {
      const { tool_calls: calls } = await chat.bindTools([weather], { tool_choice: choice }).invoke('Hello')
      assert.ok(calls.length >= 1 && calls.every(({ name, args }) => name === 'weather' && typeof args.city === 'string'))
    }
    const none = await chat.bindTools([weather], { tool_choice: 'none' }).invoke('Hello')
    assert.equal(none.tool_calls.length, 0)
    const place = z.object({ name: z.string().max(20), size: z.enum(['small', 'large']) })
    for (const method of ['jsonSchema', 'functionCalling', undefined]) {
      const answer = await chat.withStructuredOutput(place, { name: 'place', method }).invoke('Where does the story happen?')
      assert.ok(place.safeParse(answer).success, `${method}: ${JSON.stringify(answer)}`)
    }
    const format = { type: 'json_schema', json_schema: { name: 'place', schema: z.toJSONSchema(place) } }
    const { content } = await chat.invoke('Where?', { response_format: format })
    assert.ok(place.safeParse(JSON.parse(content)).success, content)
    const object = await chat.invoke('Where?', { response_format: { type: 'json_object' }, maxTokens: 30 })
    assert.match(object.content.trim(), /^\{/)
    assert.doesNotMatch((await chat.invoke('Where?', { response_format: { type: 'text' }, maxTokens: 30 })).content, /^\s*\{/)
    const { raw, parsed } = await chat.withStructuredOutput(place, { includeRaw: true }).invoke('Where?')
    assert.deepEqual(JSON.parse(raw.content), parsed)
  } finally {
    await model.dispose()
  }
})

test('options of a call, and errors', () =>
  scripted(['one two three four five'], async (chat, model) => {
    const { content } = await chat.invoke('Count.', { stop: ['three'] })
    assert.equal(content.trim(), 'one two')
    assert.ok((await chat.invoke('Count.', { maxTokens: 1 })).usage_metadata.output_tokens === 1)
    await rejectsWith('invalid-argument', /temperatur/, new ChatHeed({ model, temperatur: 1 }).invoke('Hi'))
    await rejectsWith('invalid-argument', /model/, () => new ChatHeed({}))
    const audio = new HumanMessage({ content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] })
    await rejectsWith('unsupported', /audio/, chat.invoke([audio]))
    const stop = new AbortController()
    stop.abort()
    await assert.rejects(chat.invoke('Hi', { signal: stop.signal }), { name: 'AbortError' })
    const parts = new HumanMessage({
      content: [
        { type: 'text', text: 'Co' },
        { type: 'text', text: 'unt.' },
      ],
    })
    assert.equal((await chat.invoke([parts])).content, (await chat.invoke('Count.')).content)
    const earlier = [new HumanMessage('Hi'), new AIMessage('one two three four five'), new HumanMessage('And?')]
    assert.equal(typeof (await chat.invoke(earlier)).content, 'string')
  }))

test('traces show the model, how it samples, and what form an answer has', () =>
  scripted(['{"city": "Bern"}'], async (chat, model) => {
    const seen = []
    const handler = {
      handleChatModelStart: (_llm, _messages, _run, _parent, { options }, _tags, metadata) => void seen.push({ options, metadata }),
    }
    const schema = z.object({ city: z.string() })
    const bound = new ChatHeed({ model, temperature: 0, maxTokens: 50 })
    const answer = await bound.withStructuredOutput(schema).invoke('Where?', { callbacks: [handler] })
    assert.deepEqual(answer, { city: 'Bern' })
    const [{ options, metadata }] = seen
    assert.deepEqual(options.ls_structured_output_format.kwargs, { method: 'jsonSchema' })
    assert.deepEqual(Object.keys(options.ls_structured_output_format.schema.properties), ['city'])
    const { ls_provider, ls_model_name, ls_model_type, ls_temperature, ls_max_tokens } = metadata
    assert.deepEqual(
      [ls_provider, ls_model_name, ls_model_type, ls_temperature, ls_max_tokens],
      ['Heed', 'scripted', 'chat', 0, 50],
    )
    assert.deepEqual(chat.getLsParams({ stop: ['a'], maxTokens: 2 }).ls_stop, ['a'])
    assert.equal((await chat.invoke('Where?')).response_metadata.model, 'scripted')
    const session = await model.session()
    assert.equal(new ChatHeed({ model: session }).getLsParams({}).ls_model_name, 'heed') // sessions have no name
    await session.dispose()
  }))

test("tokens are the model's own, and agents learn what it can do", () =>
  scripted(['Yes.'], async (chat, model) => {
    const { fetch } = globalThis
    globalThis.fetch = () => assert.fail('nothing is downloaded')
    try {
      const ids = await model.tokenize('Yes. And?', { addSpecial: false })
      assert.equal(await chat.getNumTokens('Yes. And?'), ids.length)
      const parts = ['Yes. ', 'And?'].map(text => ({ type: 'text', text }))
      assert.equal(await chat.getNumTokens([...parts, { type: 'image_url', image_url: 'data:,' }]), ids.length)
      const session = await model.session()
      assert.equal(await new ChatHeed({ model: session }).getNumTokens('12345'), 2)
      await session.dispose()
    } finally {
      globalThis.fetch = fetch
    }
    const { maxInputTokens, imageInputs, structuredOutput } = chat.profile
    assert.deepEqual([maxInputTokens, imageInputs, structuredOutput], [model.info.contextLength, false, true])
  }))

test('embeddings and a reranker', async () => {
  await withModel(goldenFile('bert'), { threads: 1 }, async model => {
    const embeddings = new HeedEmbeddings({ model, normalize: true, queryPrefix: 'a ' })
    const [[first], query] = [await embeddings.embedDocuments(['a b']), await embeddings.embedQuery('b')]
    assert.deepEqual(first, query)
    assert.ok(Math.abs(Math.hypot(...first) - 1) < 1e-5)
  })
  const { bytes, query, texts } = reranker()
  await withModel(bytes, { threads: 1 }, async model => {
    const pages = (texts ?? ['a', 'b c', 'c']).map((pageContent, at) => new Document({ pageContent, metadata: { at } }))
    const best = await new HeedReranker({ model, topN: 2 }).compressDocuments(pages, query ?? 'a')
    const scores = await model.rerank(
      query ?? 'a',
      pages.map(({ pageContent }) => pageContent),
    )
    assert.equal(best.length, 2)
    assert.equal(best[0].metadata.relevanceScore, Math.max(...scores))
    assert.equal(best[0].metadata.at, scores.indexOf(Math.max(...scores)))
  })
})
