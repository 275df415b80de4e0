#!/bin/sh
# @tanstack/ai 0.58.0 with @tanstack/ai-openai 0.23.1 (`createOpenaiChat`, OpenAI's responses; Node 20). After an answer that has a text and
# then a call of a tool, the next request has them in the other order, and as two items: the call, then the text, then the result of the call.
# A server that makes one turn of each item puts a text of the assistant between a call and its result, which chat templates and other APIs
# refuse, and the prompt is no continuation of the one before. Seen, after message (text) and function_call in the answer:
#
#   user message, function_call, message (assistant), function_call_output
#
# Exits with a status other than 0 where that is different.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @tanstack/ai@0.58.0 @tanstack/ai-openai@0.23.1
cat > seen.js <<'END'
import assert from 'node:assert/strict'
import { chat, toolDefinition } from '@tanstack/ai'
import { createOpenaiChat } from '@tanstack/ai-openai'

const message = text => ({ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] })
const call = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' }
const answers = [[message('Let me look.'), call], [message('Rain.')]]
const bodies = []

/** The events of a response with these items. */
function eventsOf(output) {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'x', status: 'in_progress', output: [] }
  const events = [{ type: 'response.created', response }]
  for (const [output_index, item] of output.entries()) {
    const place = { item_id: item.id, output_index }
    if (item.type === 'message') {
      const [part] = item.content
      events.push(
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, content_index: 0, part: { ...part, text: '' } },
        { type: 'response.output_text.delta', ...place, content_index: 0, delta: part.text, logprobs: [] },
        { type: 'response.output_text.done', ...place, content_index: 0, text: part.text, logprobs: [] },
        { type: 'response.content_part.done', ...place, content_index: 0, part },
      )
    } else {
      events.push(
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', arguments: '' } },
        { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
        { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments },
      )
    }
    events.push({ type: 'response.output_item.done', output_index, item })
  }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
  events.push({ type: 'response.completed', response: { ...response, status: 'completed', output, usage } })
  return events.map((event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`).join('')
}

const fetch = async (_, init) => {
  bodies.push(JSON.parse(init.body))
  return new Response(eventsOf(answers[bodies.length - 1]), { headers: { 'Content-Type': 'text/event-stream' } })
}
const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const weather = toolDefinition({ name: 'weather', description: 'Tells the weather.', inputSchema }).server(() => 'Rain.')
const adapter = createOpenaiChat('x', 'none', { baseURL: 'http://localhost/v1', fetch, maxRetries: 0 })
for await (const event of chat({ adapter, messages: [{ role: 'user', content: 'How is the weather?' }], tools: [weather] })) {
  assert.notEqual(event.type, 'RUN_ERROR', event.message)
}

const items = bodies[1].input.map(({ type, role }) => (role ? `${type} ${role}` : type))
console.log(items.join(', '))
assert.deepEqual(items, ['message user', 'function_call', 'message assistant', 'function_call_output'])
END
node seen.js
