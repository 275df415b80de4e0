import { loadModel } from 'heed'

const model = await loadModel()
console.error(`Threads: ${model.info.threads}`)

const encoder = new TextEncoder()
for await (const token of model.generate('Write a story about a fox and a lantern.', { seed: 7 })) {
  await Deno.stdout.write(encoder.encode(token.text))
}
console.log()
await model.dispose()
