// Conversations that do not fit into the context, and messages that a template leaves out: the behavior of a chat, and its notices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { scriptedModel } from '../support/scripted_model.mjs'
import { rejectsWith, withModel } from '../package/support.mjs'

const message = (role, content) => ({ role, content })
const user = content => message('user', content)
const greedy = { temperature: 0 }
const context = 512
const scripted = body => withModel(scriptedModel(['Yes.', 'No.'], { context }), { threads: 1 }, body)
const prompted = async (model, { steps }) =>
  (await model.detokenize(steps.at(-1).promptIds, { special: true })).replaceAll('\u2581', ' ')

/** A conversation with this many turns before the last question. */
const conversation = turns => [
  message('system', 'Be brief.'),
  ...Array.from({ length: turns }, (_, turn) => [user(`Question ${turn}:`), message('assistant', `Answer ${turn}.`)]).flat(),
  user('Last?'),
]

test('trim leaves out the oldest turns, at most half of those that would fit', () =>
  scripted(async model => {
    const session = await model.session()
    for (const turns of [8, 9, 12, 40]) {
      const messages = conversation(turns)
      for (const maxTokens of [5, undefined]) {
        const room = Math.min(maxTokens ?? Infinity, context / 4)
        const result = await model.chat(messages, { ...greedy, trim: true, maxTokens })
        const {
          trimmedTurns,
          steps: [{ promptIds, trimmedTurns: ofStep }],
        } = result
        assert.equal(ofStep, trimmedTurns)
        assert.ok(promptIds.length + room <= context)
        const prompt = await prompted(model, result)
        assert.match(prompt, /Be brief\.[^]*Last\?/)
        for (let turn = 0; turn < turns; turn++) {
          for (const text of [`Question ${turn}:`, `Answer ${turn}.`])
            assert.equal(prompt.includes(text), turn >= trimmedTurns, text)
        }
        if (trimmedTurns > 0) {
          const [system, ...rest] = messages
          const twiceAsMany = [system, ...rest.slice(Math.max(2 * (2 * trimmedTurns - turns - 1) - 2, 0))]
          const ids = await model.tokenize((await model.chatTemplate()).render(twiceAsMany), { addSpecial: false })
          assert.ok(ids.length + room > context, `${ids.length}`)
        }
        const again = await session.chat(messages, { ...greedy, trim: true, maxTokens })
        assert.deepEqual([again.trimmedTurns, again.text], [trimmedTurns, result.text])
      }
    }
  }))

test('once the context is full, most turns reuse all that they keep', () =>
  scripted(async model => {
    const session = await model.session()
    const full = []
    for (let turns = 1; turns < 40; turns++) {
      const {
        trimmedTurns,
        steps: [{ promptIds, generation }],
      } = await session.chat(conversation(turns), { ...greedy, trim: true, maxTokens: 5 })
      if (trimmedTurns > 0) full.push({ trimmedTurns, anew: promptIds.length - generation.timings.reusedTokens })
    }
    assert.ok(full.length > 20, `${full.length}`)
    const turnIds = await model.tokenize(
      (await model.chatTemplate()).render([user('Question 10:'), message('assistant', 'Answer 10.')]),
      { addSpecial: false },
    )
    const cuts = full.filter(({ trimmedTurns }, at) => trimmedTurns !== full[at - 1]?.trimmedTurns)
    assert.ok(full.length > 2.5 * cuts.length, `${cuts.length} cuts in ${full.length} turns`)
    for (const { anew } of full.filter(one => !cuts.includes(one))) assert.ok(anew <= 2 * turnIds.length + 20, `${anew} anew`)
  }))

test('without trim, a conversation that is too long is an error', () =>
  scripted(model => rejectsWith('context-overflow', /512/, model.chat(conversation(40), greedy))))

test("however many turns are tried, a prompt crosses the caller's thread once", t =>
  scripted(async model => {
    await model.chat(conversation(1), { ...greedy, maxTokens: 5 }) // starts the worker of templates
    const posts = t.mock.method(Worker.prototype, 'postMessage')
    const { trimmedTurns } = await model.chat(conversation(200), { ...greedy, trim: true, maxTokens: 5 })
    assert.ok(trimmedTurns > 100)
    assert.deepEqual(
      posts.mock.calls.map(({ arguments: [{ type }] }) => type),
      ['reply', 'generate'],
    )
  }))

test('a conversation that fits is not trimmed, and one that never fits is an error', () =>
  scripted(async model => {
    const { trimmedTurns } = await model.chat(conversation(3), { ...greedy, trim: true })
    assert.equal(trimmedTurns, 0)
    const long = user('word '.repeat(context))
    await rejectsWith('context-overflow', /512/, model.chat([...conversation(3), long], { ...greedy, trim: true }))
    await rejectsWith('context-overflow', /512/, model.chat([long], { ...greedy, trim: true }))
  }))

test('a call and its results are left out together', () =>
  scripted(async model => {
    const messages = Array.from({ length: 12 }, (_, turn) => [
      user(`Question ${turn}:`),
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `${turn}`, type: 'function', function: { name: `call${turn}`, arguments: {} } }],
      },
      { role: 'tool', tool_call_id: `${turn}`, content: `result ${turn}.` },
      message('assistant', `Answer ${turn}.`),
    ]).flat()
    const result = await model.chat([...messages, user('Last?')], { ...greedy, trim: true, maxTokens: 5 })
    const prompt = await prompted(model, result)
    assert.ok(result.trimmedTurns > 0 && result.trimmedTurns < 12)
    for (let turn = 0; turn < 12; turn++) {
      for (const text of [`Question ${turn}:`, `"call${turn}"`, `result ${turn}.`, `Answer ${turn}.`]) {
        assert.equal(prompt.includes(text), turn >= result.trimmedTurns, text)
      }
    }
  }))

test('a system message that the template leaves out is noticed', () =>
  withModel(undefined, { threads: 1 }, async model => {
    const messages = [
      message('system', 'Be brief.'),
      user('Who found the lantern?'),
      message('assistant', 'Ada.'),
      message('system', 'Be polite.'),
      user('Who?'),
    ]
    const chat = model.chat(messages, { ...greedy, maxTokens: 2 })
    const events = []
    for await (const event of chat) if (event.type === 'notice') events.push(event.message)
    assert.deepEqual(events, ['messages[3]: the template of the model leaves out this system message'])
    assert.deepEqual((await chat).notices, events)
    assert.deepEqual(
      (
        await model.chat(
          messages.filter((_, at) => at !== 3),
          { ...greedy, maxTokens: 2 },
        )
      ).notices,
      [],
    )
  }))

test('a chat that is aborted at once has an empty prompt', () =>
  scripted(async model => {
    const { finishReason, steps } = await model.chat([user('Hi')], { ...greedy, signal: AbortSignal.abort() })
    assert.deepEqual([finishReason, steps[0].promptIds, steps[0].prompt], ['abort', [], []])
  }))
