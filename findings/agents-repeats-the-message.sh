#!/bin/sh
# @openai/agents 0.20.0 (with openai 7.59.0, Node 20), asking for chat completions. After an answer that has a text and a call of a tool,
# the next request has the whole message once more within the message's own text part: `role`, `refusal` and `tool_calls`, the same calls twice.
# OpenAI's types have none of these in a part ({ type, text, prompt_cache_breakpoint }), so a server that checks parts as these say, and
# refuses what it does not know, answers 400 to every second step of an agent whose model says something before it calls. Seen:
#
#   {"role":"assistant","content":[{"type":"text","text":"Let me look.","role":"assistant","refusal":null,"tool_calls":[{"id":"a",...}]}],
#    "tool_calls":[{"id":"a",...}]}
#
# Exits with a status other than 0 where that is different.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @openai/agents@0.20.0 openai@7.59.0 zod@4.6.7
cat > seen.js <<'END'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'

const tool_calls = [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }]
const answers = [
  { message: { role: 'assistant', content: 'Let me look.', refusal: null, tool_calls }, finish_reason: 'tool_calls' },
  { message: { role: 'assistant', content: 'Rain.', refusal: null }, finish_reason: 'stop' },
]
const bodies = []
const server = createServer(async (request, response) => {
  bodies.push(JSON.parse(await text(request)))
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({
    id: 'x', object: 'chat.completion', created: 1, model: 'x', choices: [{ index: 0, logprobs: null, ...answers[bodies.length - 1] }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')

setTracingDisabled(true)
const openAIClient = new OpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${server.address().port}/v1`, maxRetries: 0 })
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const weather = tool({ name: 'weather', description: 'Tells the weather.', parameters, strict: true, execute: () => 'Rain.' })
const agent = new Agent({ name: 'one', model: 'x', tools: [weather] })
const { finalOutput } = await new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }) }).run(agent, 'How is the weather?')
server.close()
server.closeAllConnections()

assert.equal(finalOutput, 'Rain.')
const message = bodies[1].messages.find(({ role }) => role === 'assistant')
console.log(JSON.stringify(message))
assert.deepEqual(message.tool_calls, tool_calls)
assert.deepEqual(message.content, [{ type: 'text', text: 'Let me look.', role: 'assistant', refusal: null, tool_calls }])
END
node seen.js
