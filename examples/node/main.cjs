// The same with `require`, for CommonJS projects.
const { loadModel } = require('heed')

loadModel().then(async model => {
  console.error(`Threads: ${model.info.threads}`)
  const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
  for await (const event of model.chat(messages, { seed: 7 })) {
    if (event.type === 'text') process.stdout.write(event.delta)
  }
  process.stdout.write('\n')
})
