// The example that the page shows before the first prompt: a question, the bundled model's answer, and the word of it that the head
// for answers found in the question. `node tools/draw-lesson.mjs` writes it to web/chat/first/example.json.
import { readFileSync } from 'node:fs'
import { loadModel } from '../dist/index.node.js'
import { inRoot } from './paths.mjs'

const question = 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?'

/** The words of tokens, as {word, from, to}: a word begins at a token that begins with a space or follows one without letters. */
function wordsOf(texts) {
  const words = []
  texts.forEach((text, at) => {
    const last = words.at(-1)
    if (last?.to === at && /^\p{L}/u.test(text) && /\p{L}$/u.test(texts[at - 1]))
      Object.assign(last, { to: at + 1, word: last.word + text })
    else if (/\p{L}/u.test(text)) words.push({ from: at, to: at + 1, word: text.trim() })
  })
  return words
}

/** A text in three parts, with the word at `index` in the middle. */
const around = (text, index, { length }) => ({
  before: text.slice(0, index),
  word: text.slice(index, index + length),
  after: text.slice(index + length),
})

/** {question, answer}, each as {before, word, after}. */
export async function drawExample() {
  const { layer, head } = JSON.parse(readFileSync(inRoot('models/heed-stories.heads.json'), 'utf8')).find(
    ({ kind }) => kind === 'answer',
  )
  const model = await loadModel(inRoot('models/heed-stories.gguf'), { threads: 1 })
  try {
    const {
      text,
      steps: [{ promptIds, generation }],
    } = await model.chat([{ role: 'user', content: question }], { temperature: 0 })
    const ids = [...promptIds, ...generation.tokens.map(({ id }) => id)]
    const { tokens, weights } = await model.attention(ids, { layers: [layer] })
    const texts = tokens.map(token => token.text)
    const words = wordsOf(texts)
    const asked = new Set(
      question
        .split('. ')
        .at(-1)
        .toLowerCase()
        .split(/\P{L}+/u),
    )
    // A word is chosen from the row of the token before it.
    const found = words
      .filter(({ from, word }) => from >= promptIds.length && word.length > 2 && !asked.has(word.toLowerCase()))
      .map(({ from, word }) => {
        const row = weights[0][head].subarray((from - 1) * ids.length, from * ids.length)
        const share = Math.max(...row)
        const place = row.indexOf(share)
        return { from, word, share, source: words.find(each => each.from <= place && place < each.to) }
      })
      .filter(({ word, source }) => source?.from < promptIds.length && source.word.toLowerCase() === word.toLowerCase())
      .sort((a, b) => b.share - a.share)[0]
    if (!found) throw new Error(`the head for answers finds no word of “${text}”`)
    const start = texts.join('').indexOf(question)
    const placeOf = at => texts.slice(0, at).join('').length + texts[at].length - texts[at].trimStart().length
    const answerStart = placeOf(promptIds.length)
    return {
      question: around(question, placeOf(found.source.from) - start, found.source.word),
      answer: around(text.trim(), placeOf(found.from) - answerStart, found.word),
    }
  } finally {
    await model.dispose()
  }
}
