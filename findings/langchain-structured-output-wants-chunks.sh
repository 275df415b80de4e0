#!/bin/sh
# A chat model of one's own for LangChain, which answers with an AIMessage, as the types of `_generate` have it: `invoke` and `bindTools` work,
# and `withStructuredOutput` of the base class fails.
#
# @langchain/core 1.4.0: the base class reads calls from an AIMessageChunk only. Of `invoke`, too, which streams nothing; and the message that it
# has got has the call. Only a model whose `_generate` answers with a chunk, or that has a `withStructuredOutput` of its own, works.
# Seen: "AIMessage: Input is not an AIMessageChunk.", "AIMessageChunk: {"city":"Bern"}".
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @langchain/core@1.4.0
cat > seen.js <<'JS'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
const call = { type: 'tool_call', id: 'a', name: 'extract', args: { city: 'Bern' } }
class Model extends BaseChatModel {
  constructor(Message) {
    super({})
    this.Message = Message
  }
  _llmType() {
    return 'model'
  }
  bindTools(tools) {
    return this.withConfig({ tools })
  }
  async _generate() {
    return { generations: [{ text: '', message: new this.Message({ content: '', tool_calls: [call] }) }] }
  }
}
const schema = { type: 'object', properties: { city: { type: 'string' } } }
for (const Message of [AIMessage, AIMessageChunk]) {
  const answer = await new Model(Message).withStructuredOutput(schema).invoke('Where?').catch(({ message }) => message)
  console.log(`${Message.name}: ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`)
}
JS
node seen.js > seen.txt
cat seen.txt
diff seen.txt - <<'TXT'
AIMessage: Input is not an AIMessageChunk.
AIMessageChunk: {"city":"Bern"}
TXT
