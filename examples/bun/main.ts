import { loadModel, type ChatMessage } from 'heed'

const model = await loadModel()
console.error(`Threads: ${model.info.threads}`)

const messages: ChatMessage[] = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
for await (const event of model.chat(messages, { seed: 7 })) {
  if (event.type === 'text') process.stdout.write(event.delta)
}
process.stdout.write('\n')
await model.dispose()
