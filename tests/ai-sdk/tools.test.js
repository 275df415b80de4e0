// Tools in the AI SDK, which runs them before the model continues; errors in calls are reported to the model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, isStepCount, jsonSchema, Output, streamText, tool, ToolLoopAgent } from 'ai'
import { heed } from 'heed/ai-sdk'
import { scriptedTemplate } from '../support/scripted_model.mjs'
import { asks, call, collect, scripted, watched } from './support.mjs'

const weather = execute =>
  tool({
    description: 'Tells the weather.',
    inputSchema: jsonSchema(
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
      {
        validate: value =>
          typeof value.city === 'string' ? { success: true, value } : { success: false, error: new Error('no city') },
      },
    ),
    execute,
  })
const told = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: {} },
}
const settings = { prompt: 'Weather?', temperature: 0, seed: 1, stopWhen: isStepCount(5) }
const turns = [`Let me look. ${call('weather', { city: 'Bern' })}`, call('weather', { city: 'Thun' }), 'Rain in both.']

test('tools run, step by step', () =>
  scripted(turns, async model => {
    const asked = []
    const tools = {
      weather: weather(({ city }) => {
        asked.push(city)
        return { rain: city === 'Bern' }
      }),
    }
    const { text, steps, finishReason, totalUsage } = await generateText({ model: heed(model), tools, ...settings })
    assert.deepEqual([text, finishReason, asked], ['Rain in both.', 'stop', ['Bern', 'Thun']])
    assert.deepEqual(
      steps.map(step => step.content.map(({ type }) => type)),
      [['text', 'tool-call', 'tool-result'], ['tool-call', 'tool-result'], ['text']],
    )
    assert.equal(new Set(steps.flatMap(step => step.toolCalls.map(({ toolCallId }) => toolCallId))).size, 2)
    assert.deepEqual(
      steps.map(step => step.finishReason),
      ['tool-calls', 'tool-calls', 'stop'],
    )
    assert.equal(
      totalUsage.outputTokens,
      steps.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
    )
  }))

const reports = [call('weather', { city: 'Bern' }), call('weather', { city: 'Thun' }), '{"rain": ["<tool_call>", "Thun"]}']
const report = Output.object({
  schema: jsonSchema({
    type: 'object',
    properties: { rain: { type: 'array', items: { type: 'string' } } },
    required: ['rain'],
    additionalProperties: false,
  }),
})

test('tools run before an answer that has a schema, whole, streamed and in an agent', () =>
  scripted(reports, async model => {
    const asked = []
    const all = {
      model: heed(model),
      tools: {
        weather: weather(({ city }) => {
          asked.push(city)
          return 'rain'
        }),
      },
      output: report,
      temperature: 0,
      seed: 1,
    }
    const rain = ['<tool_call>', 'Thun']
    const { output, steps } = await generateText({ ...all, prompt: 'Weather?', stopWhen: isStepCount(5) })
    assert.deepEqual([output, asked.splice(0), steps.length], [{ rain }, ['Bern', 'Thun'], 3])
    const stream = streamText({ ...all, prompt: 'Weather?', stopWhen: isStepCount(5) })
    const parts = await collect(stream.partialOutputStream)
    assert.deepEqual([await stream.output, asked.splice(0), parts.at(-1)], [{ rain }, ['Bern', 'Thun'], { rain }])
    assert.deepEqual((await new ToolLoopAgent(all).generate({ prompt: 'Weather?' })).output, { rain })
    const first = await generateText({ ...all, prompt: 'Weather?', toolChoice: 'required' })
    assert.deepEqual([first.toolCalls.map(({ input }) => input), first.text], [[{ city: 'Bern' }], ''])
  }))

test('calls stream while they are generated', () =>
  scripted(turns, async model => {
    const result = streamText({ model: heed(model), tools: { weather: weather(() => 'rain') }, ...settings })
    const parts = await collect(result.stream)
    const [{ id }] = parts.filter(({ type }) => type === 'tool-input-start')
    const ofFirst = parts.filter(part => part.id === id || part.toolCallId === id).map(({ type }) => type)
    assert.deepEqual(
      ofFirst.filter((type, at) => type !== ofFirst[at - 1]),
      ['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'tool-result'],
    )
    const deltas = parts.filter(part => part.type === 'tool-input-delta' && part.id === id)
    assert.ok(deltas.length > 2)
    assert.deepEqual(JSON.parse(deltas.map(({ delta }) => delta).join('')), { city: 'Bern' })
    assert.equal(await result.text, 'Rain in both.')
  }))

test('runs several calls of one turn, with results in order', () =>
  scripted([call('weather', { city: 'Bern' }) + '\n' + call('weather', { city: 'Thun' }), 'Fine.'], async model => {
    const { steps, text } = await generateText({ model: heed(model), tools: { weather: weather(({ city }) => city) }, ...settings })
    assert.deepEqual(
      steps[0].toolResults.map(({ output }) => output),
      ['Bern', 'Thun'],
    )
    assert.equal(text, 'Fine.')
  }))

test('the model sees the tools, its calls and their results', () =>
  scripted(turns, async model => {
    const spied = watched(model)
    await generateText({ model: heed(spied), tools: { weather: weather(({ city }) => ({ rain: city })) }, ...settings })
    const [first, second, third] = spied.prompts
    assert.match(first, /<tools>.*"name": "weather".*"description": "Tells the weather\.".*"city".*<\/tools>/)
    assert.doesNotMatch(first, /\$schema/)
    assert.ok(second.includes('Let me look.') && second.includes('"arguments": {"city": "Bern"}'))
    assert.ok(second.includes('<|im_start|>tool\n{"rain":"Bern"}<|im_end|>'))
    assert.ok(third.includes('<|im_start|>tool\n{"rain":"Thun"}<|im_end|>'))
  }))

for (const [what, written, message] of [
  ['a tool that there is not', call('wheather', { city: 'Bern' }), /unavailable tool 'wheather'/],
  ['arguments that the tool does not take', call('weather', { town: 'Bern' }), /Invalid input.*weather/s],
  ['arguments that are no object', call('', '{"name": "weather", "arguments": [1]}'), /Invalid input.*weather/s],
]) {
  test(`reports ${what} to the model`, () =>
    scripted([written, 'Sorry.'], async model => {
      const run = () => {
        throw new Error('it must not run')
      }
      const { steps, text } = await generateText({ model: heed(model), tools: { weather: weather(run) }, ...settings })
      const [error] = steps[0].content.filter(({ type }) => type === 'tool-error')
      assert.match(String(error.error), message)
      assert.equal(text, 'Sorry.')
    }))
}

test('a truncated call does not count', () =>
  scripted([call('weather', { city: 'Bern' })], async model => {
    const write = async maxOutputTokens =>
      collect((await heed(model).doStream({ prompt: asks('Weather?'), temperature: 0, maxOutputTokens, tools: [told] })).stream)
    const ends = new Set()
    for (let length = 1, isWhole = false; !isWhole; length++) {
      const parts = await write(length)
      const [begins, finishes, calls] = ['tool-input-start', 'tool-input-end', 'tool-call'].map(name =>
        parts.some(({ type }) => type === name),
      )
      assert.equal(finishes, calls)
      if (!calls) assert.deepEqual(parts.at(-1).finishReason, { unified: 'length', raw: 'length' })
      ends.add(`${begins} ${calls}`)
      isWhole = calls
    }
    assert.deepEqual([...ends], ['false false', 'true false', 'true true'])
  }))

test('reports a call that the model leaves unfinished', () =>
  scripted(['<tool_call>\n{"name": "weather", "argum'], async model => {
    const { content, finishReason } = await heed(model).doGenerate({ prompt: asks('Weather?'), temperature: 0, tools: [told] })
    assert.deepEqual(
      content.filter(({ type }) => type === 'tool-call'),
      [],
    )
    assert.deepEqual(finishReason, { unified: 'other', raw: 'incomplete-tool-call' })
  }))

test('toolChoice decides which tools the model sees, and whether it calls one', () =>
  scripted(['No.'], async model => {
    const told = async toolChoice => {
      const spied = watched(model)
      const tools = ['weather', 'clock'].map(name => ({
        type: 'function',
        name,
        inputSchema: { type: 'object', additionalProperties: false },
      }))
      const { warnings, content } = await heed(spied).doGenerate({
        prompt: asks('?'),
        temperature: 0,
        maxOutputTokens: 400,
        tools,
        toolChoice,
      })
      const names = [...spied.prompts[0].matchAll(/"name": "(\w+)"/g)].map(([, name]) => name)
      assert.deepEqual(warnings, [])
      return [names.join(' '), content[0].type]
    }
    assert.deepEqual(await told(undefined), ['weather clock', 'text'])
    assert.deepEqual(await told({ type: 'auto' }), ['weather clock', 'text'])
    assert.deepEqual(await told({ type: 'none' }), ['', 'text'])
    assert.deepEqual(await told({ type: 'required' }), ['weather clock', 'tool-call'])
    assert.deepEqual(await told({ type: 'tool', toolName: 'clock' }), ['clock', 'tool-call'])
  }))

test('warns about a template that does not render tools', () =>
  scripted(
    ['No.'],
    async model => {
      const { warnings } = await heed(model).doGenerate({ prompt: asks('?'), temperature: 0, tools: [told] })
      assert.deepEqual(
        warnings.map(({ feature }) => feature),
        ['tools'],
      )
    },
    { template: scriptedTemplate.replace('{%- if tools %}', '{%- if false %}') },
  ))

test('a tool that needs approval waits for it, and the model sees a denial', () =>
  scripted([call('weather', { city: 'Bern' }), 'Never mind.'], async model => {
    const spied = watched(model)
    const run = () => {
      throw new Error('it must not run')
    }
    const tools = { weather: { ...weather(run), needsApproval: true } }
    const asked = await generateText({ model: heed(spied), tools, ...settings })
    const [request] = asked.content.filter(({ type }) => type === 'tool-approval-request')
    const { prompt, ...rest } = settings
    const answer = { type: 'tool-approval-response', approvalId: request.approvalId, approved: false, reason: 'not now' }
    const { text } = await generateText({
      model: heed(spied),
      tools,
      ...rest,
      messages: [{ role: 'user', content: prompt }, ...asked.responseMessages, { role: 'tool', content: [answer] }],
    })
    assert.equal(text, 'Never mind.')
    assert.ok(spied.prompts[1].includes('<|im_start|>tool\n{"error":"not now"}<|im_end|>'), spied.prompts[1])
  }))
