// Asks heed-questions, with Heed, what `python3 -m tiny.questions FOLDER COUNT` wrote: node models/training/tiny/ask.mjs FOLDER
//
// Prints for each kind of question how many answers are right in every word; and for each layer, of the words of right answers that are
// a thing's color or kind, for how many the attention at their prediction (the mean over heads) is highest on a patch whose middle lies in
// the thing's box.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadModel } from 'heed'

const inTiny = file => fileURLToPath(new URL(`../../tiny/${file}`, import.meta.url))
const folder = process.argv[2]
const scenes = JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8'))
const pictures = readFileSync(join(folder, 'pictures.rgb'))

/** The pixels of a picture, of three bytes each in the file. */
function imageOf(number, side) {
  const data = new Uint8ClampedArray(4 * side * side).fill(255)
  for (let pixel = 0; pixel < side * side; pixel++) {
    const at = 3 * (number * side * side + pixel)
    data.set(pictures.subarray(at, at + 3), 4 * pixel)
  }
  return { width: side, height: side, data }
}

/** For each layer, the patch with the highest mean over heads, as the place of its middle. `weights` is [head][position]. */
function lookedAt(weights, first, patches) {
  const side = Math.sqrt(patches)
  const means = Array.from({ length: patches }, (_, i) => weights.reduce((sum, head) => sum + head[first + i], 0))
  const best = means.indexOf(Math.max(...means))
  return { x: ((best % side) + 0.5) / side, y: (Math.floor(best / side) + 0.5) / side }
}

const isIn = ([left, top, right, bottom], { x, y }) => left <= x && x <= right && top <= y && y <= bottom
const percent = ({ right, total }) => `${((100 * right) / total).toFixed(1)} % of ${total}`

const answers = {}
const looks = {}
const add = (table, key, isRight) => {
  table[key] ??= { right: 0, total: 0 }
  table[key].right += isRight
  table[key].total++
}

const model = await loadModel(inTiny('heed-questions.gguf'), { projector: inTiny('mmproj-heed-questions.gguf'), threads: 1 })
const layers = Array.from({ length: model.info.layers }, (_, layer) => layer)
for (const [number, { side, boxes, asked }] of scenes.entries()) {
  const image = imageOf(number, side)
  for (const { kind, question, answer, things } of asked) {
    const content = [
      { type: 'image', image },
      { type: 'text', text: question },
    ]
    const result = await model.chat([{ role: 'user', content }], { temperature: 0, maxTokens: 24, attention: { layers } })
    const isRight = result.text.trim() === answer
    add(answers, kind, isRight)
    if (!isRight) continue
    const { promptIds, generation } = result.steps[0]
    for (const [token, thing] of things.entries()) {
      if (thing === null) continue
      for (const layer of layers) {
        const weights = generation.tokens[token].attention[layer]
        const patch = lookedAt(weights, promptIds.indexOf(-1), promptIds.filter(id => id === -1).length)
        add(looks, layer + 1, isIn(boxes[thing], patch))
      }
    }
  }
}
await model.dispose()
for (const [kind, share] of Object.entries(answers)) console.log(`${kind}: ${percent(share)}`)
for (const [layer, share] of Object.entries(looks)) console.log(`layer ${layer} looks at the thing: ${percent(share)}`)
