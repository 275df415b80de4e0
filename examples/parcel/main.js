import { loadModel } from 'heed'

// Parcel's development server does not support top-level `await`.
async function tell() {
  const model = await loadModel()
  document.querySelector('#threads').textContent = model.info.threads

  const story = document.querySelector('#story')
  const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
  for await (const event of model.chat(messages, { seed: 7 })) {
    if (event.type === 'text') story.append(event.delta)
  }
}

tell()
