#!/bin/sh
# The AI SDK's own transport without a server, after the user has stopped a tool: every later message of the conversation fails.
#
# ai 7.0.173 with @ai-sdk/react 4.0.177: a Chat with `new DirectChatTransport({ agent })` whose tool is running is stopped with
# `chat.stop()`, as `useChat` offers it. The message keeps a call without a result. `sendMessage` then fails with
# AI_MissingToolResultsError, and so does each after it: the transport converts the messages without `ignoreIncompleteToolCalls`, and has
# no setting for it. Only a transport of one's own, which passes that option to `convertToModelMessages`, or removing the message helps.
# The model is the SDK's own MockLanguageModelV4. Seen: "first: ready", "second: error AI_MissingToolResultsError", "third: error ...".
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund ai@7.0.173 @ai-sdk/react@4.0.177 react@19.3.1 zod@4.6.7
cat > seen.js <<'JS'
import { Chat } from '@ai-sdk/react'
import { DirectChatTransport, jsonSchema, tool, ToolLoopAgent } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const model = new MockLanguageModelV4({
  doStream: async () => ({ stream: simulateReadableStream({ chunks: [
    { type: 'stream-start', warnings: [] },
    { type: 'tool-call', toolCallId: 'a', toolName: 'wait', input: '{}' },
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage },
  ] }) }),
})
const wait = tool({
  inputSchema: jsonSchema({ type: 'object' }),
  execute: (_, { abortSignal }) => new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason))),
})
let failure
const chat = new Chat({ transport: new DirectChatTransport({ agent: new ToolLoopAgent({ model, tools: { wait } }), onError: error => error.name }), onError: error => { failure = error } })
chat['~registerMessagesCallback'](() => {
  if (chat.messages.length === 2 && chat.lastMessage.parts.some(({ state }) => state === 'input-available')) chat.stop()
})
for (const turn of ['first', 'second', 'third']) {
  failure = undefined
  await chat.sendMessage({ text: 'Go on.' })
  console.log(`${turn}: ${chat.status}${failure ? ` ${failure.name === 'Error' ? failure.message : failure.name}` : ''}`)
}
JS
node seen.js 2> /dev/null > seen.txt
cat seen.txt
diff seen.txt - <<'TXT'
first: ready
second: error AI_MissingToolResultsError
third: error AI_MissingToolResultsError
TXT
