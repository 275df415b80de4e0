// Responses that are kept: how many, how conversations go on with them, and those in the background.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heedFetch, openai } from 'heed/openai'
import { collect, lastPrompt, openaiOver, refuses, scripted } from './support.mjs'

const asked = (more = {}) => ({ model: 'scripted', input: 'Hi', temperature: 0, ...more })
const missing = (param, openaiCode) => ({ param, openaiCode, status: 404 })
const missingResponse = missing('response_id', 'response_not_found')
const missingPrevious = missing('previous_response_id', 'previous_response_not_found')

test('a response is retrieved as it was, until it is deleted', () =>
  scripted(['Yes.', 'No.'], async client => {
    const made = await client.responses.create(asked({ metadata: { a: 'b' } }))
    assert.deepEqual(await client.responses.retrieve(made.id), made)
    const events = await collect(await client.responses.create(asked({ stream: true })))
    const { response } = events.at(-1)
    assert.deepEqual(await client.responses.retrieve(response.id), response)
    await refuses(() => client.responses.retrieve(made.id, { stream: true }), { param: 'stream', code: 'unsupported' })

    const next = await client.responses.create(asked({ previous_response_id: made.id, input: 'And?' }))
    const { id, deleted } = await client.responses.delete(made.id)
    assert.deepEqual([id, deleted], [made.id, true])
    await refuses(() => client.responses.retrieve(made.id), missingResponse, /not found/)
    await refuses(() => client.responses.delete(made.id), missingResponse)
    await refuses(() => client.responses.create(asked({ previous_response_id: made.id })), missingPrevious, /not found/)
    assert.equal((await client.responses.create(asked({ previous_response_id: next.id, input: 'And?' }))).status, 'completed')
    await refuses(
      () => client.responses.create(asked({ input: [{ type: 'item_reference', id: made.output[0].id }] })),
      missing('input[0].id', 'input[0].id_not_found'),
    )
  }))

test('responses that were not stored, were aborted or belong to another client are not found', () =>
  scripted(['Yes, and '.repeat(40)], async (client, model, name) => {
    const { id } = await client.responses.create(asked({ store: false }))
    await refuses(() => client.responses.retrieve(id), missingResponse)
    let left
    for await (const event of await client.responses.create(asked({ stream: true }))) {
      left ??= event.response.id
      if (event.type === 'response.output_text.delta') break
    }
    await refuses(() => client.responses.retrieve(left), missingResponse)
    assert.equal((await model.chats.at(-1)).finishReason, 'abort')
    const other = name === 'direct' ? openai(model) : openaiOver(model)
    const theirs = await other.responses.create(asked())
    await refuses(() => client.responses.retrieve(theirs.id), missingResponse)
    await refuses(() => client.responses.create(asked({ previous_response_id: '' })), missingPrevious)
  }))

test('a conversation goes on, each time with its own instructions', () =>
  scripted(['One.', 'Two.', 'Three.'], async (client, model) => {
    let previous_response_id
    const said = []
    for (const [at, word] of ['first', 'second', 'third'].entries()) {
      const { id, output_text, usage } = await client.responses.create(
        asked({ input: `The ${word}?`, instructions: `Be ${word}.`, previous_response_id }),
      )
      previous_response_id = id
      said.push(output_text)
      const prompt = await lastPrompt(model)
      assert.deepEqual(prompt.match(/Be \w+\./g), [`Be ${word}.`])
      assert.deepEqual(prompt.match(/The \w+\?/g), ['The first?', 'The second?', 'The third?'].slice(0, at + 1))
      assert.ok(usage.input_tokens_details.cached_tokens > 0 || at === 0)
    }
    assert.deepEqual(said, ['One.', 'Two.', 'Three.'])
  }))

test('the 256 most recently used responses are kept', () =>
  scripted(['.'], async (client, _, name) => {
    if (name !== 'direct') return
    const make = () => client.responses.create(asked({ max_output_tokens: 1 }))
    const [first, second] = [await make(), await make()]
    const others = []
    for (let at = 0; at < 254; at++) others.push((await make()).id)
    await client.responses.retrieve(first.id) // which is used again
    await make()
    await refuses(() => client.responses.retrieve(second.id), missingResponse)
    for (const id of [first.id, ...others]) assert.equal((await client.responses.retrieve(id)).id, id)
  }))

/** A response in the background, once it has ended. */
async function ended(client, id) {
  for (;;) {
    const now = await client.responses.retrieve(id)
    if (now.status !== 'in_progress') return now
    await new Promise(resolve => setImmediate(resolve))
  }
}

test('a response in the background continues, and retrieve returns its current state', () =>
  scripted(['Yes, and '.repeat(20)], async (client, model) => {
    const begun = await client.responses.create(asked({ background: true }))
    assert.deepEqual([begun.status, begun.background, begun.output], ['in_progress', true, []])
    const until = client.responses.create(asked({ previous_response_id: begun.id }))
    await refuses(() => until, { param: 'previous_response_id' }, /in_progress/)
    const now = await ended(client, begun.id)
    assert.deepEqual([now.status, now.output_text, now.id], ['completed', 'Yes, and '.repeat(20), begun.id])
    assert.deepEqual(await client.responses.cancel(begun.id), now, 'it has ended')
    const next = await client.responses.create(asked({ previous_response_id: begun.id, max_output_tokens: 1 }))
    assert.match(await lastPrompt(model), /Yes, and Yes, and/)
    await refuses(() => client.responses.cancel(next.id), { param: 'response_id' }, /background/)
    for (const wrong of [{ stream: true }, { store: false }])
      await refuses(() => client.responses.create(asked({ background: true, ...wrong })), { param: 'background' })
  }))

test('a response in the background is canceled, or deleted', () =>
  scripted(['Yes, and '.repeat(200)], async (client, model) => {
    for (const end of ['cancel', 'delete']) {
      const { id } = await client.responses.create(asked({ background: true }))
      const [chat] = model.chats.slice(-1)
      await chat[Symbol.asyncIterator]().next()
      const ended = await client.responses[end](id)
      assert.equal((await chat).finishReason, 'abort')
      if (end === 'delete') await refuses(() => client.responses.retrieve(id), missingResponse)
      else assert.deepEqual([ended.status, (await client.responses.retrieve(id)).status], ['cancelled', 'cancelled'])
    }
  }))

test('a failure in the background is reported in the response', () =>
  scripted(
    ['Yes.'],
    async client => {
      const { id } = await client.responses.create(asked({ input: 'Many words, '.repeat(30), background: true }))
      const now = await ended(client, id)
      assert.equal(now.status, 'failed')
      assert.match(now.error.message, /context/)
    },
    { context: 100 },
  ))

test('ids in addresses are decoded', () =>
  scripted(['Yes.'], async (_, model, name) => {
    if (name === 'direct') return
    const fetch = heedFetch(model)
    const response = await fetch('https://heed.local/v1/responses/a%20b', { method: 'DELETE' })
    assert.equal(response.status, 404)
    assert.match((await response.json()).error.message, /"a b"/)
    const wrong = await fetch('https://heed.local/v1/responses/%ff')
    assert.deepEqual([wrong.status, (await wrong.json()).error.param], [404, 'response_id'])
  }))
