// Parsing model output: every case of the reference, whole, split in two at every position, and one character at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsShared, sharedJson, sharedTemplates } from './support.mjs'

const templates = new Map(sharedTemplates().map(template => [template.name, template]))
const { cases, tools } = needsShared.skip ? { cases: [] } : sharedJson('calls.json')

const plain = ({ content, reasoning, toolCalls, incomplete = false }) => ({
  content: content.trim(),
  reasoning: reasoning.trim(),
  incomplete,
  toolCalls: toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })),
})

/** The result that the events add up to. */
function replay(events) {
  const calls = []
  const joined = type =>
    events
      .filter(event => event.type === type)
      .map(({ delta }) => delta)
      .join('')
  for (const event of events) {
    if (event.type === 'tool-call-start') calls[event.index] = { name: event.name, text: '' }
    if (event.type === 'tool-call-delta') calls[event.index].text += event.delta
    if (event.type === 'tool-call') {
      assert.equal(event.call.text, calls[event.index].text)
      assert.equal(event.call.name, calls[event.index].name)
      assert.deepEqual(event.call.arguments, JSON.parse(event.call.text || '{}'))
    }
  }
  return {
    content: joined('text'),
    reasoning: joined('reasoning'),
    toolCalls: events.filter(({ type }) => type === 'tool-call').map(({ call }) => call),
  }
}

function parse(template, pieces, options) {
  const parser = template.parser(options)
  const events = pieces.flatMap(piece => parser.push(piece))
  events.push(...parser.end())
  const { incomplete, ...result } = parser.result
  assert.deepEqual(replay(events), result)
  return { incomplete, ...result }
}

for (const { id, template: name, generationPrompt, output, expect } of cases) {
  test(id, () => {
    const { template } = templates.get(name)
    const options = { tools, generationPrompt }
    const whole = template.parse(output, options)
    assert.deepEqual(plain(whole), plain(expect))
    for (let at = 0; at <= output.length; at++) {
      assert.deepEqual(parse(template, [output.slice(0, at), output.slice(at)], options), whole, `cut at ${at}`)
    }
    assert.deepEqual(parse(template, output.split(''), options), whole)
    const decoder = new TextDecoder()
    const bytes = Array.from(new TextEncoder().encode(output), byte => decoder.decode(Uint8Array.of(byte), { stream: true }))
    assert.deepEqual(parse(template, bytes, options), whole)
  })
}

test('the reference is complete', needsShared, () => assert.ok(cases.length >= 214))

test('detects the call format of a template', needsShared, () => {
  for (const { name, calls, template } of templates.values()) if (calls) assert.equal(template.info.calls, calls, name)
})
