#!/bin/sh
# The stream of openai that puts an answer together keeps the last few characters of what a reasoning model has thought.
#
# Guessed: `client.chat.completions.stream(...)`, whose final message is that of the request without a stream, joins the parts of a field it
# does not know or drops the field. llama-server, vLLM and DeepSeek's own API send thoughts as `reasoning_content`.
# Seen, with openai 7.59.0, Node 20: it assigns each part over the one before. The field is there, a string, and wrong:
#
#     created without a stream: {"role":"assistant","reasoning_content":"First, add the two numbers.","content":"4"}
#     streamed: {"role":"assistant","reasoning_content":" numbers.","content":"4"}
#
# Who sends the message back, as these servers want it in a turn with calls of tools, sends a thought that nobody had, and the prompt is no
# continuation of the one before. A field that is an array (OpenRouter's `reasoning_details`) is that of the last chunk in the same way.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund openai@7.59.0
cat > thought.js <<'END'
import assert from 'node:assert/strict'
import OpenAI from 'openai'

const whole = { role: 'assistant', reasoning_content: 'First, add the two numbers.', content: '4' }
const deltas = [
  { role: 'assistant', reasoning_content: 'First,' },
  { reasoning_content: ' add the two' },
  { reasoning_content: ' numbers.' },
  { content: '4' },
]
const common = { id: 'x', created: 1, model: 'x' }
const completion = { ...common, object: 'chat.completion', choices: [{ index: 0, message: whole, logprobs: null, finish_reason: 'stop' }] }
const chunks = deltas.map((delta, at) => {
  const finish_reason = at === deltas.length - 1 ? 'stop' : null
  return { ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason }] }
})

const events = [...chunks.map(chunk => JSON.stringify(chunk)), '[DONE]'].map(data => `data: ${data}\n\n`).join('')
const headers = { 'Content-Type': 'text/event-stream' }
const fetch = async (_, { body }) => (JSON.parse(body).stream ? new Response(events, { headers }) : Response.json(completion))

const { completions } = new OpenAI({ apiKey: 'none', baseURL: 'http://localhost/v1', fetch }).chat
const request = { model: 'x', messages: [{ role: 'user', content: '2 + 2?' }] }
const created = (await completions.create(request)).choices[0].message
const streamed = (await completions.stream(request).finalChatCompletion()).choices[0].message
const told = ({ role, reasoning_content, content }) => JSON.stringify({ role, reasoning_content, content })
console.log(`created without a stream: ${told(created)}\nstreamed: ${told(streamed)}`)
assert.equal(told(created), told(whole))
assert.equal(told(streamed), told({ ...whole, reasoning_content: ' numbers.' }))
END
node thought.js
