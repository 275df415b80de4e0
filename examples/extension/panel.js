// The side panel is a page, so its engine runs in a worker, with threads.
import { loadModel } from 'heed'

chrome.runtime.sendMessage('title').then(title => {
  document.querySelector('#title').textContent = title
})

const model = await loadModel()
document.querySelector('#threads').textContent = model.info.threads

const story = document.querySelector('#story')
const messages = [{ role: 'user', content: 'Write a story about a fox and a lantern.' }]
for await (const event of model.chat(messages, { seed: 7 })) {
  if (event.type === 'text') story.append(event.delta)
}
