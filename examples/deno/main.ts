import { loadModel, type ChatMessage } from 'heed'

const model = await loadModel()
console.error(`Threads: ${model.info.threads}`)

const encoder = new TextEncoder()
const messages: ChatMessage[] = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
for await (const event of model.chat(messages, { seed: 7 })) {
  if (event.type === 'text') await Deno.stdout.write(encoder.encode(event.delta))
}
console.log()
await model.dispose()
