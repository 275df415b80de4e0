// The same with require, as in a project that is not made of ES modules.
const { loadModel } = require('heed')

loadModel().then(async model => {
  console.error(`Threads: ${model.info.threads}`)
  for await (const token of model.generate('Write a story about a fox and a lantern.', { seed: 7 })) {
    process.stdout.write(token.text)
  }
  process.stdout.write('\n')
})
