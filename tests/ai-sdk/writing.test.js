// Language models in the AI SDK: streams, results, settings, and how generations end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, jsonSchema, Output, streamText, UnsupportedFunctionalityError } from 'ai'
import { heed } from 'heed/ai-sdk'
import { defaultModelPath, rejectsWith, withModel } from '../package/support.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { scriptedTemplate } from '../support/scripted_model.mjs'
import { asks, collect, plainTemplate, scripted, watched } from './support.mjs'

const long = 'A long answer that goes on and on and on, and then some more.'

test('streams text in pieces', () =>
  scripted(['Hello there, how are you?'], async model => {
    const result = streamText({ model: heed(model), prompt: 'Hi', temperature: 0 })
    const deltas = await collect(result.textStream)
    assert.ok(deltas.length > 3)
    assert.equal(deltas.join(''), 'Hello there, how are you?')
    assert.equal(await result.finishReason, 'stop')
    const { modelId, timestamp } = await result.response
    assert.equal(modelId, 'scripted')
    assert.ok(timestamp instanceof Date)
  }))

test('streams parts in order', () =>
  scripted(['<think>\nLet me see.\n</think>\n\nYes.'], async model => {
    const { stream } = await heed(model).doStream({ prompt: asks('Hi'), temperature: 0, seed: 5 })
    const parts = await collect(stream)
    const shape = parts
      .map(({ type, id }) => [type, id].filter(Boolean).join(' '))
      .filter((one, at, all) => !(one.includes('delta') && one === all[at - 1]))
    assert.deepEqual(shape, [
      'stream-start',
      'response-metadata',
      'reasoning-start 0',
      'reasoning-delta 0',
      'reasoning-end 0',
      'text-start 1',
      'text-delta 1',
      'text-end 1',
      'finish',
    ])
    assert.deepEqual(parts[0].warnings, [])
    const joined = type =>
      parts
        .filter(part => part.type === type)
        .map(part => part.delta)
        .join('')
    assert.deepEqual([joined('reasoning-delta'), joined('text-delta')], ['Let me see.', 'Yes.'])
    const { finishReason, providerMetadata } = parts.at(-1)
    assert.deepEqual(finishReason, { unified: 'stop', raw: 'stop' })
    assert.equal(providerMetadata.heed.seed, 5)
  }))

test('any integer is a seed', () =>
  scripted(['Yes.'], async model => {
    const seedOf = async seed =>
      (await heed(model).doGenerate({ prompt: asks('Hi'), temperature: 0, seed })).providerMetadata.heed.seed
    assert.deepEqual([await seedOf(7), await seedOf(-1), await seedOf(2 ** 53)], [7, 2 ** 53 - 1, 0])
    await assert.rejects(seedOf(0.5), /seed/)
  }))

test('the result is what was streamed', () =>
  scripted(['<think>\nLet me see.\n</think>\n\nYes.'], async model => {
    const { text, reasoningText, content, usage, warnings } = await generateText({
      model: heed(model),
      prompt: 'Hi',
      temperature: 0,
    })
    assert.deepEqual([text, reasoningText], ['Yes.', 'Let me see.'])
    assert.deepEqual(
      content.map(({ type, text }) => [type, text]),
      [
        ['reasoning', 'Let me see.'],
        ['text', 'Yes.'],
      ],
    )
    assert.deepEqual(warnings, [])
    const {
      outputTokens,
      outputTokenDetails: { textTokens, reasoningTokens },
    } = usage
    assert.equal(textTokens + reasoningTokens, outputTokens)
    const { tokens } = await model.generate((await model.chatTemplate()).render([{ role: 'user', content: 'Hi' }]), {
      temperature: 0,
    })
    const inReasoning = tokens.filter(({ text }) => 'Let me see.'.includes(text.trim()) && text.trim() !== '')
    assert.equal(reasoningTokens, inReasoning.length)
  }))

test('reports reused tokens as cached', () =>
  scripted(['First.', 'Second.'], async model => {
    const ask = messages => generateText({ model: heed(model), messages, temperature: 0 })
    const messages = [{ role: 'user', content: 'One, two, three?' }]
    const first = await ask(messages)
    assert.equal(first.usage.inputTokenDetails.cacheReadTokens, 0)
    const second = await ask([...messages, ...first.responseMessages, { role: 'user', content: 'And then?' }])
    assert.equal(second.text, 'Second.')
    const {
      inputTokens,
      inputTokenDetails: { cacheReadTokens, noCacheTokens },
    } = second.usage
    assert.equal(cacheReadTokens + noCacheTokens, inputTokens)
    assert.ok(cacheReadTokens >= first.usage.inputTokens - 2, `${cacheReadTokens} of ${first.usage.inputTokens}`)
  }))

test('applies sampling settings', () =>
  withModel(defaultModelPath, { threads: 1 }, async model => {
    const heedOptions = { template: plainTemplate }
    const write = (settings, own) =>
      generateText({
        model: heed(model),
        prompt: 'Write a story about a fox and a lantern.',
        maxOutputTokens: 30,
        providerOptions: { heed: { ...heedOptions, ...own } },
        ...settings,
      })
    const direct = options => model.generate('Write a story about a fox and a lantern.\n', { maxTokens: 30, ...options })
    const settings = [
      [{ temperature: 0 }, {}, { temperature: 0 }],
      [{ seed: 7 }, {}, { seed: 7 }],
      [{ seed: 7, temperature: 1.5, topK: 3 }, {}, { seed: 7, temperature: 1.5, topK: 3 }],
      [{ seed: 7, topP: 0.3 }, {}, { seed: 7, topP: 0.3 }],
      [{ seed: 7, presencePenalty: 2, frequencyPenalty: 1 }, {}, { seed: 7, presencePenalty: 2, frequencyPenalty: 1 }],
      [{ seed: 7, temperature: 1.5 }, { minP: 0.4 }, { seed: 7, temperature: 1.5, minP: 0.4 }],
      [
        { temperature: 0 },
        { repetitionPenalty: 1.5, penaltyWindow: 10 },
        { temperature: 0, repetitionPenalty: 1.5, penaltyWindow: 10 },
      ],
      [{ temperature: 0, stopSequences: [' the'] }, {}, { temperature: 0, stop: [' the'] }],
    ]
    const texts = []
    for (const [given, own, options] of settings) {
      const { text } = await write(given, own)
      assert.equal(text.trimEnd(), (await direct(options)).text.trimEnd(), JSON.stringify([given, own]))
      texts.push(text)
    }
    assert.equal(new Set(texts).size, texts.length)
    const banned = (await model.tokenize('fox', { addSpecial: false })).at(-1)
    const { providerMetadata } = await write({ temperature: 0 }, { logitBias: { [banned]: -Infinity }, topLogprobs: 2 })
    const { logprobs } = providerMetadata.heed
    assert.ok(logprobs.length > 10 && logprobs.every(({ id, alternatives }) => id !== banned && alternatives.length === 2))
  }))

test('an answer can fill the context, unless its length is limited', () =>
  scripted([long], async model => {
    const { text, finishReason } = await generateText({ model: heed(model), prompt: 'Hi', temperature: 0 })
    assert.deepEqual([text, finishReason], [long, 'stop'])
    const cut = await generateText({ model: heed(model), prompt: 'Hi', temperature: 0, maxOutputTokens: 3 })
    assert.deepEqual([cut.finishReason, cut.usage.outputTokens, long.startsWith(cut.text)], ['length', 3, true])
    const empty = (await model.tokenize((await model.chatTemplate()).render([{ role: 'user', content: '' }]))).length
    const full = 'x'.repeat(model.info.contextLength - empty - 4)
    const filled = await generateText({ model: heed(model), prompt: full, temperature: 0 })
    assert.deepEqual([filled.finishReason, filled.rawFinishReason], ['length', 'context'])
  }))

test('continues an answer', () =>
  scripted([long], async model => {
    const spied = watched(model)
    await generateText({
      model: heed(spied),
      temperature: 0,
      maxOutputTokens: 1,
      providerOptions: { heed: { continueFinal: true } },
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Well, ' },
      ],
    })
    assert.match(spied.prompts[0], /<\|im_start\|>assistant\nWell, ?$/)
  }))

test('an abort ends a stream and its generation', () =>
  scripted([long], async model => {
    const controller = new AbortController()
    let aborted
    const result = streamText({
      model: heed(model),
      prompt: 'Hi',
      temperature: 0,
      abortSignal: controller.signal,
      onAbort: () => {
        aborted = true
      },
      onError() {},
    })
    let text = ''
    for await (const delta of result.textStream) {
      text += delta
      controller.abort()
    }
    assert.ok(aborted && long.startsWith(text) && text.length < long.length)
    assert.equal((await generateText({ model: heed(model), prompt: 'Hi', temperature: 0 })).text, long)
  }))

test('an abort rejects a call with its reason, before and while it runs', () =>
  scripted([long], async model => {
    const ask = abortSignal => heed(model).doGenerate({ prompt: asks('Hi'), temperature: 0, abortSignal })
    const reason = new Error('enough')
    await assert.rejects(ask(AbortSignal.abort(reason)), reason)
    const controller = new AbortController()
    const { stream } = await heed(model).doStream({ prompt: asks('Hi'), temperature: 0, abortSignal: controller.signal })
    await assert.rejects(async () => {
      for await (const part of stream) if (part.type === 'text-delta') controller.abort(reason)
    }, reason)
    const generated = generateText({ model: heed(model), prompt: 'Hi', abortSignal: AbortSignal.abort() })
    await assert.rejects(generated, { name: 'AbortError' })
  }))

test('canceling a stream ends its generation', () =>
  scripted([long, 'Second.'], async model => {
    const parts = (await heed(model).doStream({ prompt: asks('Hi'), temperature: 0, includeRawChunks: true })).stream.getReader()
    const seen = []
    for (;;) {
      const { value } = await parts.read()
      seen.push(value)
      if (value.type === 'text-delta') break
    }
    assert.deepEqual([seen.at(-3).type, seen.at(-3).rawValue.delta], ['raw', seen.at(-1).delta])
    await parts.cancel()
    assert.equal((await generateText({ model: heed(model), prompt: 'Hi', temperature: 0 })).text, long)
  }))

test('warns about settings that are not supported, by name', () =>
  scripted(['Yes.'], async model => {
    const warned = async settings => {
      const { warnings } = await heed(model).doGenerate({ prompt: asks('Hi'), temperature: 0, ...settings })
      return warnings.map(({ type, feature }) => `${type}: ${feature}`)
    }
    assert.deepEqual(await warned({ responseFormat: { type: 'text' }, toolChoice: { type: 'auto' } }), [])
    assert.deepEqual(await warned({ reasoning: 'high' }), ['unsupported: reasoning: high'])
    assert.deepEqual(await warned({ reasoning: 'none' }), []) // it never reasons
    assert.deepEqual(await warned({ reasoning: 'provider-default' }), [])
    const tool = { type: 'function', name: 'weather', inputSchema: { type: 'object' } }
    assert.deepEqual(await warned({ tools: [{ type: 'provider', id: 'openai.search', name: 'search', args: {} }] }), [
      'unsupported: provider-defined tool: openai.search',
    ])
    assert.deepEqual(await warned({ tools: [{ ...tool, strict: true, inputExamples: [{ input: {} }] }] }), [
      'unsupported: inputExamples of tool: weather',
    ])
  }))

test('objects are written under their schema, whatever the model would say', () =>
  scripted(['Yes.'], async model => {
    const schema = jsonSchema({
      type: 'object',
      properties: { sure: { enum: [true, false] } },
      required: ['sure'],
      additionalProperties: false,
    })
    const asked = { model: heed(model), prompt: 'Hi', temperature: 0, maxOutputTokens: 1500 }
    const { output } = await generateText({ ...asked, output: Output.object({ schema }) })
    assert.deepEqual([Object.keys(output), typeof output.sure], [['sure'], 'boolean'])
    const indented = await generateText({
      ...asked,
      output: Output.object({ schema }),
      providerOptions: { heed: { whitespace: { indent: 3 } } },
    })
    assert.equal(indented.text, JSON.stringify(indented.output, null, 3))
    const { output: choice } = await generateText({ ...asked, output: Output.choice({ options: ['left', 'right'] }) })
    assert.ok(['left', 'right'].includes(choice))
  }))

const thinking = `${scriptedTemplate.replace('<|im_start|>assistant\n', '<|im_start|>assistant\n{% if enable_thinking is defined %}{{ "+" if enable_thinking else "-" }}{% endif %}')}`
const graded = `{# </think> #}${scriptedTemplate.replace('<|im_start|>assistant\n', '<|im_start|>assistant\n{{ reasoning_effort or "none" }}')}`

for (const [name, template, expected] of [
  [
    'that turn reasoning on and off',
    thinking,
    {
      none: ['-'],
      low: ['+', 'compatibility: reasoning: low'],
      max: ['+', 'compatibility: reasoning: max'],
      'provider-default': [''],
    },
  ],
  [
    'that know efforts',
    graded,
    {
      none: ['none', 'unsupported: reasoning: none'],
      low: ['low'],
      minimal: ['low', 'compatibility: reasoning: minimal'],
      max: ['high', 'compatibility: reasoning: max'],
      'provider-default': ['none'],
    },
  ],
]) {
  test(`reasoning effort, for templates ${name}`, () =>
    scripted(
      ['Yes.'],
      async model => {
        for (const [reasoning, [shown, ...warned]] of Object.entries(expected)) {
          const spied = watched(model)
          const { warnings } = await heed(spied).doGenerate({ prompt: asks('Hi'), temperature: 0, reasoning })
          assert.deepEqual(
            warnings.map(({ type, feature }) => `${type}: ${feature}`),
            warned,
            reasoning,
          )
          assert.ok(spied.prompts[0].endsWith(`<|im_start|>assistant\n${shown}<|turn0|>`), spied.prompts[0])
        }
        const { warnings } = await heed(model).doGenerate({
          prompt: asks('Hi'),
          temperature: 0,
          reasoning: 'high',
          providerOptions: { heed: { think: false } },
        })
        assert.deepEqual(warnings, [])
        const given = { variables: { reasoning_effort: 'medium' }, template }
        const spied = watched(model)
        await heed(spied).doGenerate({ prompt: asks('Hi'), temperature: 0, reasoning: 'high', providerOptions: { heed: given } })
        assert.ok(spied.prompts[0].includes(template === graded ? 'assistant\nmedium' : 'assistant\n+'))
      },
      { template },
    ))
}

test('rejects files before anything is loaded', async () => {
  const unloaded = heed('never.gguf')
  const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array(3) } }
  const prompts = [
    [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, file, { ...file, mediaType: 'video/mp4' }] }],
    [{ role: 'assistant', content: [file] }],
    [{ role: 'assistant', content: [{ ...file, type: 'reasoning-file' }] }],
    [
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: '1', toolName: 't', output: { type: 'content', value: [file] } }],
      },
    ],
  ]
  for (const prompt of prompts) {
    for (const method of ['doGenerate', 'doStream']) {
      await assert.rejects(unloaded[method]({ prompt }), error => {
        assert.ok(UnsupportedFunctionalityError.isInstance(error))
        assert.match(error.message, /file .*(image\/png|video\/mp4)/)
        return true
      })
    }
  }
})

test('invalid options are errors that name them', () =>
  scripted(['Yes.'], async model => {
    const ask = (heedOptions, settings) =>
      heed(model).doGenerate({ prompt: asks('Hi'), providerOptions: { heed: heedOptions }, ...settings })
    for (const name of ['thinking', 'tools', 'seed', 'signal', 'constructor']) {
      await assert.rejects(ask({ [name]: true }), error => {
        assert.equal(error.name, 'AI_InvalidArgumentError')
        assert.match(error.message, new RegExp(`providerOptions\\.heed\\.${name}`))
        return true
      })
    }
    for (const [name, value] of Object.entries({
      think: 'yes',
      minP: 2,
      template: 5,
      variables: 1,
      now: 'never',
      contextShift: {},
    })) {
      await rejectsWith('invalid-argument', new RegExp(name), ask({ [name]: value }))
    }
    await rejectsWith('invalid-argument', /temperature/, ask({}, { temperature: -1 }))
    assert.equal((await ask({}, { providerOptions: { openai: { anything: 1 } } })).content[0].text, 'Yes.')
  }))

test('an error while streaming is a part of the stream, and ends it', () =>
  scripted(['Yes.'], async model => {
    const { stream } = await heed(model).doStream({ prompt: asks('x'.repeat(3000)) })
    const parts = await collect(stream)
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['stream-start', 'response-metadata', 'error', 'finish'],
    )
    assert.equal(parts[2].error.code, 'context-overflow')
    assert.deepEqual(parts[3].finishReason, { unified: 'error', raw: 'context-overflow' })
    await rejectsWith('context-overflow', /context/, generateText({ model: heed(model), prompt: 'x'.repeat(3000) }))
    await withModel(goldenBytes('llama-gqa'), {}, plain =>
      rejectsWith('unsupported', /no chat template/, generateText({ model: heed(plain), prompt: 'Hi' })),
    )
  }))
