#!/bin/sh
# genkit 1.42.0 with @genkit-ai/compat-oai 1.42.0 (openai 4.104.0, Node 20). `config: { temperature: 0, seed: 0 }`, a request for the same
# answer each time, is sent without both: the plugin deletes every field of the body whose value is falsy. The server then samples with its own
# temperature, 1 at OpenAI, and with a seed of its own. 0.1 and 1 are sent. Seen, the fields of the bodies:
#
#   temperature 0, seed 0: model, messages
#   temperature 0.1, seed 1: model, messages, temperature, seed
#
# Exits with a status other than 0 where that is different.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund genkit@1.42.0 @genkit-ai/compat-oai@1.42.0 openai@4.104.0
cat > seen.js <<'END'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { openAI } from '@genkit-ai/compat-oai/openai'
import { genkit } from 'genkit'

const bodies = []
const server = createServer(async (request, response) => {
  bodies.push(JSON.parse(await text(request)))
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({
    id: 'x', object: 'chat.completion', created: 1, model: 'x', usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    choices: [{ index: 0, logprobs: null, message: { role: 'assistant', content: 'Yes.', refusal: null }, finish_reason: 'stop' }],
  }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const ai = genkit({ plugins: [openAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${server.address().port}/v1`, maxRetries: 0 })] })
for (const config of [{ temperature: 0, seed: 0 }, { temperature: 0.1, seed: 1 }]) {
  assert.equal((await ai.generate({ model: openAI.model('gpt-4o'), prompt: 'Well?', config })).text, 'Yes.')
  const fields = Object.keys(bodies.at(-1))
  console.log(`temperature ${config.temperature}, seed ${config.seed}: ${fields.join(', ')}`)
  for (const name of ['temperature', 'seed']) assert.equal(fields.includes(name), config[name] !== 0)
}
process.exit(0)
END
node seen.js
