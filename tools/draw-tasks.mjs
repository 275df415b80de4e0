// The answers to the tasks of the page's lesson, as the bundled model gives them. `node tools/draw-lesson.mjs` writes them to
// web/lesson/tasks.json.
import { readFileSync } from 'node:fs'
import { loadModel } from '../dist/index.node.js'
import { inRoot } from './paths.mjs'

const story = 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern.'

/** The prompts of the tasks. */
const asked = {
  other: `${story} Who lost the lantern?`,
  invented: `${story.replace('Ada', 'Zorblax')} Who found the lantern?`,
  untold: `${story.replace('found the lantern', 'saw the fox')} Who found the lantern?`,
}

/**
 * {NAME: {asked, answer, piece, share}}: the model's answer, and the token that the head for answers attends to most as the answer
 * begins, with its share of the attention.
 */
export async function drawTasks() {
  const { layer, head } = JSON.parse(readFileSync(inRoot('models/heed-stories.heads.json'), 'utf8')).find(
    ({ kind }) => kind === 'answer',
  )
  const model = await loadModel(inRoot('models/heed-stories.gguf'), { threads: 1 })
  try {
    const drawn = {}
    for (const [name, content] of Object.entries(asked)) {
      const {
        text,
        steps: [{ promptIds, generation }],
      } = await model.chat([{ role: 'user', content }], { temperature: 0 })
      const ids = [...promptIds, ...generation.tokens.map(({ id }) => id)]
      const { tokens, weights } = await model.attention(ids, { layers: [layer] })
      const row = weights[0][head].subarray((promptIds.length - 1) * ids.length, promptIds.length * ids.length)
      const share = Math.max(...row)
      drawn[name] = {
        asked: content,
        answer: text.trim(),
        piece: tokens[row.indexOf(share)].text.trim(),
        share: Number(share.toFixed(3)),
      }
    }
    return drawn
  } finally {
    await model.dispose()
  }
}
