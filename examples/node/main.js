import { loadModel } from 'heed'

const model = await loadModel()
console.error(`Threads: ${model.info.threads}`)

for await (const token of model.generate('Write a story about a fox and a lantern.', { seed: 7 })) {
  process.stdout.write(token.text)
}
process.stdout.write('\n')
