import { loadModel } from 'heed'

const model = await loadModel()
document.querySelector('#threads').textContent = model.info.threads

const story = document.querySelector('#story')
for await (const token of model.generate('Write a story about a fox and a lantern.', { seed: 7 })) {
  story.append(token.text)
}
