// heed/mcp with the SDK's own client and server, and with a page's tools as the draft of WebMCP has them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { toolsFrom } from 'heed/mcp'
import { z } from 'zod'
import { scriptedModel } from '../support/scripted_model.mjs'
import { rejectsWith, withModel } from './support.mjs'

/** A client of a server with some tools, each with a name, the shape of its arguments and a function. */
async function connected(tools) {
  const server = new McpServer({ name: 'server', version: '1.0.0' })
  for (const [name, inputSchema, run] of tools) server.registerTool(name, { description: `Does ${name}.`, inputSchema }, run)
  const client = new Client({ name: 'client', version: '1.0.0' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  return client
}

const text = said => ({ content: [{ type: 'text', text: said }] })
const call = (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const ask = [{ role: 'user', content: 'Please.' }]
const run = { signal: new AbortController().signal }

test('a model calls the tools of a server', async () => {
  const asked = []
  const client = await connected([
    ['add', { a: z.number(), b: z.number() }, async ({ a, b }) => text(`${a + b}`)],
    ['fail', { why: z.string() }, async ({ why }) => ({ ...text(`It cannot: ${why}.`), isError: true })],
    ['unused', {}, async () => asked.push('unused')],
  ])
  const tools = await toolsFrom(client)
  assert.deepEqual(
    tools.map(({ name, description }) => [name, description]),
    ['add', 'fail', 'unused'].map(name => [name, `Does ${name}.`]),
  )
  assert.deepEqual(tools[0].parameters.required, ['a', 'b'])
  await withModel(
    scriptedModel([call('add', { a: 2, b: 3 }), call('fail', { why: 'late' }), 'Five.']),
    { threads: 1 },
    async model => {
      const { messages } = await model.chat(ask, { tools, temperature: 0 })
      assert.deepEqual(
        messages.map(({ role, content }) => (role === 'assistant' ? role : content)),
        ['assistant', '5', 'assistant', '{"error":"It cannot: late."}', 'assistant'],
      )
    },
  )
  assert.deepEqual(asked, [])
})

test('only the named tools of a server, with calls constrained to the schemas', async () => {
  const client = await connected([
    ['one', {}, async () => text('1')],
    ['two', {}, async () => text('2')],
  ])
  const tools = await toolsFrom(client, { only: ['two'], strict: true })
  assert.deepEqual(
    tools.map(({ name, strict }) => [name, strict]),
    [['two', true]],
  )
  await rejectsWith('invalid-argument', /there is no tool "three"/, toolsFrom(client, { only: ['three'] }))
  await rejectsWith('invalid-argument', /no option "onyl"; its options are only, strict/, toolsFrom(client, { onyl: [] }))
  for (const source of [undefined, null, {}, 'http://localhost'])
    await rejectsWith('invalid-argument', /expected a client of MCP/, toolsFrom(source))
})

test('a list of several pages, and results of other kinds', async () => {
  const pages = [{ tools: [{ name: 'a' }], nextCursor: 'more' }, { tools: [{ name: 'b', inputSchema: { type: 'object' } }] }]
  const results = {
    a: { structuredContent: { degrees: 3 } },
    b: {
      content: [
        { type: 'text', text: 'Here:' },
        { type: 'image', data: '', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
        { type: 'resource_link', uri: 'file:///b.pdf', mimeType: 'application/pdf' },
      ],
    },
  }
  const tools = await toolsFrom({
    listTools: async ({ cursor } = {}) => pages[cursor === 'more' ? 1 : 0],
    callTool: async ({ name }) => results[name],
  })
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['a', 'b'],
  )
  assert.equal(await tools[0].execute({}, run), '{"degrees":3}')
  assert.equal(await tools[1].execute({}, run), 'Here:\n[image image/png]\ninside\n[resource_link application/pdf file:///b.pdf]')
})

test('each kind of client gets the signal where it expects the options', async () => {
  const calls = []
  const client = {
    listTools: async () => ({ tools: [{ name: 'a' }] }),
    callTool: async (...given) => calls.push(given) && text('x'),
  }
  for (const one of [client, { ...client, getProtocolEra: () => 'modern' }]) {
    const [tool] = await toolsFrom(one)
    assert.equal(await tool.execute({ b: 1 }, run), 'x')
  }
  const asked = { name: 'a', arguments: { b: 1 } }
  assert.deepEqual(calls, [
    [asked, undefined, { signal: run.signal }],
    [asked, { signal: run.signal }],
  ])
})

test("a page's own tools, whose schemas are texts", async () => {
  const executed = []
  const layer = { name: 'layer', description: 'Shows a layer.', inputSchema: '{"type":"object","required":["name"]}' }
  const context = {
    getTools: async () => [layer, { name: 'go', inputSchema: '' }],
    executeTool: async (tool, input, { signal }) => {
      executed.push([tool.name, input, signal === run.signal])
      return tool === layer ? '"shown"' : null
    },
  }
  const [first, second] = await toolsFrom(context)
  assert.deepEqual(first.parameters, { type: 'object', required: ['name'] })
  assert.equal(second.parameters, undefined)
  assert.equal(await first.execute({ name: 'cheese' }, run), '"shown"')
  assert.match(await second.execute({}, run), /another/)
  assert.deepEqual(executed, [
    ['layer', { name: 'cheese' }, true],
    ['go', {}, true],
  ])
})
