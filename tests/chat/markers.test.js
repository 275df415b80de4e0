// Generated text reaches tools, prompts and clients unchanged: markers spelled with ordinary tokens, digits, parts with keys of
// their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openai } from 'heed/openai'
import { withModel } from '../package/support.mjs'
import { scriptedModel, scriptedTemplate } from '../support/scripted_model.mjs'

const user = content => ({ role: 'user', content })
const greedy = { temperature: 0 }
const scripted = (turns, options, body) => withModel(scriptedModel(turns, options), { threads: 1 }, body)

/** Whole and streamed, by the client of heed/openai. */
async function asked(model, tools) {
  const client = openai(model)
  const request = {
    model: 'x',
    messages: [user('Hi')],
    temperature: 0,
    ...(tools && { tools: tools.map(one => ({ type: 'function', function: one })) }),
  }
  const {
    choices: [{ message }],
  } = await client.chat.completions.create(request)
  const deltas = []
  for await (const {
    choices: [{ delta }],
  } of await client.chat.completions.create({ ...request, stream: true }))
    deltas.push(delta)
  return {
    content: message.content,
    calls: (message.tool_calls ?? []).map(({ function: { arguments: text } }) => text),
    streamed: deltas.map(({ content }) => content ?? '').join(''),
    streamedCalls: deltas.flatMap(({ tool_calls: [one] = [] }) => one?.function?.arguments ?? []).join(''),
  }
}

for (const spelled of ['<|im_end|>', '<|im_start|>']) {
  test(`an answer that spells ${spelled} goes on`, () => {
    const text = `A turn has ${spelled} in this format.`
    return scripted([text], {}, async model => {
      const {
        finishReason,
        text: answer,
        steps: [{ generation }],
      } = await model.chat([user('Hi')], greedy)
      assert.deepEqual([answer, finishReason, generation.endToken.text], [text, 'stop', '<|im_end|>'])
      const { content, streamed } = await asked(model)
      assert.deepEqual([content, streamed], [text, text])
    })
  })
}

const template = scriptedTemplate.replaceAll('<|im_end|>', '<|done|>')
for (const [what, options, expected] of [
  ['a control token ends the answer, though it ends no text elsewhere', { controls: ['<|done|>'] }, 'Here'],
  ['no token ends it as text', {}, 'Here'],
  ['spelled does not', { spelled: ['<|done|>'] }, 'Here <|done|> is more.'],
]) {
  test(`a template's stop text that is ${what}`, () =>
    scripted(['Here <|done|> is more.'], { template, ...options }, async model => {
      assert.deepEqual((await model.chatTemplate()).stops.slice(0, 1), ['<|done|>'])
      const { text, finishReason } = await model.chat([user('Hi')], greedy)
      assert.deepEqual([text.trim(), finishReason], [expected, 'stop'])
    }))
}

const tool = { name: 'now', parameters: { type: 'object', properties: {} } }
const call = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
const markers = ['<tool_call>', '</tool_call>', '<think>', '</think>']
test('only the token opens a call or reasoning where the vocabulary has one', () => {
  const text = `Calls look so: ${call}, and thoughts <think>so</think>.`
  return scripted([text], { spelled: markers }, async model => {
    const { text: answer, toolCalls, reasoning } = await model.chat([user('Hi')], { ...greedy, tools: [tool] })
    assert.deepEqual([answer, toolCalls, reasoning], [text, [], ''])
    const { content, calls, streamed } = await asked(model, [tool])
    assert.deepEqual([content, streamed, calls], [text, text, []])
  })
})
for (const stop of [[], ['>>>'], ['call>\nx']]) {
  test(`the token does, also where a stop text could begin with its end: ${JSON.stringify(stop)}`, () =>
    scripted([`<think>Hm.</think>Look: ${call}`], { controls: markers }, async model => {
      const { text, toolCalls, reasoning } = await model.chat([user('Hi')], { ...greedy, stop, tools: [tool] })
      assert.deepEqual([text.trim(), toolCalls.length, reasoning], ['Look:', 1, 'Hm.'])
    }))
}
test('where the vocabulary has none, the text does', () =>
  scripted([`Look: ${call}`], {}, async model => {
    assert.equal((await model.chat([user('Hi')], { ...greedy, tools: [tool] })).toolCalls.length, 1)
  }))

const spelled = '{"2": 2512292042121000001, "1": 1.0, "c": -0, "d": 1e400, "e": "\\u00e9"}'
test('digits reach the next prompt, the messages and clients', () => {
  const turns = [`<tool_call>\n{"name": "keep", "arguments": ${spelled}}\n</tool_call>`, 'Done.', 'Again.']
  return scripted(turns, {}, async model => {
    const runs = []
    const keep = {
      name: 'keep',
      execute: (given, run) => {
        runs.push([given, run.text])
      },
    }
    const chat = model.chat([user('Hi')], { ...greedy, tools: [keep] })
    const events = []
    for await (const event of chat) events.push(event)
    const { messages, steps } = await chat
    assert.deepEqual(runs, [[JSON.parse(spelled), spelled]])
    assert.equal(
      events
        .filter(({ type }) => type === 'tool-call-delta')
        .map(({ delta }) => delta)
        .join(''),
      spelled,
    )
    assert.equal(steps[0].toolCalls[0].text, spelled)
    assert.equal(messages[0].tool_calls[0].function.arguments, spelled)
    const shown = '{"2": 2512292042121000001, "1": 1.0, "c": 0, "d": 1e400, "e": "é"}'
    const promptOf = async ({ promptIds }) => (await model.detokenize(promptIds, { special: true })).replaceAll('\u2581', ' ') // bytes of spaces in this vocabulary
    assert.ok((await promptOf(steps[1])).includes(`"arguments": ${shown}}`))
    const stored = JSON.parse(JSON.stringify([user('Hi'), ...messages, user('And?')]))
    const again = await model.chat(stored, { ...greedy, tools: [keep] })
    assert.ok((await promptOf(again.steps[0])).includes(`"arguments": ${shown}}`))
    const { calls, streamedCalls } = await asked(model, [{ name: 'keep' }])
    assert.deepEqual([calls, streamedCalls], [[spelled], spelled])
  })
})
test("bigints of a tool's result have all their digits", () =>
  scripted([call, 'Done.'], {}, async model => {
    const results = {
      '2512292042121000001': 2512292042121000001n,
      '-5': -5n,
      '[{"id":2512292042121000001,"of":"7"}]': [{ id: 2512292042121000001n, of: '7' }],
      '{"\\u0000k":"\\u00005","a\\"\\u00006":["b\\"\\u00007","\\u0000\\u0000",1]}': {
        '\0k': '\0' + '5',
        'a"\u00006': ['b"\u00007', '\0\0', 1n],
      },
    }
    for (const [json, result] of Object.entries(results)) {
      const { messages } = await model.chat([user('Hi')], { ...greedy, tools: [{ ...tool, execute: () => result }] })
      assert.equal(messages.find(({ role }) => role === 'tool').content, json)
    }
  }))
test('arguments that an object holds are one in messages', () =>
  scripted([call], {}, async model => {
    assert.deepEqual((await model.chat([user('Hi')], { ...greedy, tools: [tool] })).message.tool_calls[0].function.arguments, {})
  }))

test('a call without arguments in the history', () =>
  scripted(['Yes.'], {}, async model => {
    for (const given of ['', ' ', null, undefined, '{}', {}, 'null', '[]', [], '""']) {
      const calls = [{ id: 'a', type: 'function', function: { name: 'now', arguments: given } }]
      const history = [
        user('Hi'),
        { role: 'assistant', content: '', tool_calls: calls },
        { role: 'tool', tool_call_id: 'a', content: '1' },
      ]
      const {
        steps: [{ promptIds }],
      } = await model.chat(history, { ...greedy, maxTokens: 1 })
      assert.ok(
        (await model.detokenize(promptIds, { special: true }))
          .replaceAll('\u2581', ' ')
          .includes('{"name": "now", "arguments": {}}'),
        String(given),
      )
    }
  }))

test('the keys of text parts reach the template', () => {
  const template =
    '{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}[{{ p.source }}>{{ p.target }}]{{ p.text }}{% endfor %}{% endif %}{% endfor %}<|turn0|>'
  return scripted(['Ja.'], { template }, async model => {
    const promptOf = async content => {
      const {
        steps: [{ promptIds }],
      } = await model.chat([user(content)], { ...greedy, maxTokens: 1 })
      return (await model.detokenize(promptIds, { special: true })).replace('<s>', '').trim()
    }
    assert.equal(await promptOf([{ type: 'text', text: 'Yes', source: 'en', target: 'de' }]), '[en>de]Yes<|turn0|>')
    assert.equal(
      await promptOf([
        { type: 'text', text: 'A' },
        { type: 'text', text: 'B', source: 'en', target: 'de' },
      ]),
      '[>]A[en>de]B<|turn0|>',
    )
    assert.equal(
      await promptOf([
        { type: 'text', text: 'A' },
        { type: 'text', text: 'B' },
      ]),
      'AB<|turn0|>',
    )
  })
})

test('a template that fails on a list of parts gets their text', () =>
  scripted(['Ja.'], { template: '{{ messages[0].content + "!" }}<|turn0|>' }, async model => {
    const {
      steps: [{ promptIds }],
    } = await model.chat([user([{ type: 'text', text: 'Yes', source: 'en' }])], { ...greedy, maxTokens: 1 })
    assert.ok((await model.detokenize(promptIds, { special: true })).includes('Yes!'))
  }))
