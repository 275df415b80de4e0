const { HeedError, loadModel } = require('heed')

test('tells a story', async () => {
  const model = await loadModel()
  const { message } = await model.chat([{ role: 'user', content: 'Write a story about a fox and a lantern.' }], { seed: 7 })
  await model.dispose()
  expect(message.content).toBe(process.env.STORY)
})

test('rejects an invalid file with a HeedError', async () => {
  const error = await loadModel(new Uint8Array(8)).catch(error => error)
  expect(error).toBeInstanceOf(HeedError)
  expect(error.code).toBe('invalid-file')
})
