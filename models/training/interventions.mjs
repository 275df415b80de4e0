// What the answer head of the bundled model does, by interventions: the word of an answer is exchanged inside the model where the story
// has it (activation patching, arXiv:2202.05262), the head is ablated, and the lens says from which layer on the answer is there.
//
//     npm run build -- package && node models/training/interventions.mjs [QUESTIONS]      # writes ../heed-stories.interventions.json
//
// The questions are held out (stories/sources.py). Those count that the unmodified model answers with the word, greedily.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { loadModel } from 'heed'

const here = file => new URL(file, import.meta.url)
/** The head of which the lesson says that it finds answers. */
const { layer, head } = JSON.parse(readFileSync(here('../heed-stories.heads.json'), 'utf8')).find(({ kind }) => kind === 'answer')
/** The layer after which the page's example is patched. */
const patched = 0
const greedy = { temperature: 0, maxTokens: 48 }
/** The example of the page should fit on a phone. */
const mostExampleTokens = 120

export const has = (text, word) => new RegExp(`\\b${word}\\b`).test(text)
const same = (one, other, from, to) =>
  one.length === other.length && one.every((id, at) => (at >= from && at < to) || id === other[at])

/** The tokens of the conversation that asks a question, in the turns of stories/chat.py. */
export const idsOf = (model, content) =>
  model.tokenize(`<|im_start|>user\n${content}<|im_end|>\n<|im_start|>assistant\n`, { parseSpecial: true })

/** Another word whose text has the same number of tokens, which differ only in the word's own tokens: {word, ids, positions}. */
export async function swapOf(model, ids, { question, place, word, others }) {
  for (const other of others) {
    const swapped = await idsOf(model, question.slice(0, place) + other + question.slice(place + word.length))
    const from = ids.findIndex((id, at) => id !== swapped[at]),
      to = ids.findLastIndex((id, at) => id !== swapped[at]) + 1
    if (from >= 0 && same(ids, swapped, from, to))
      return { word: other, ids: swapped, positions: Array.from({ length: to - from }, (_, at) => [from + at, from + at]) }
  }
  return undefined
}

/** Counts how often something holds. */
class Share {
  count = 0
  held = 0
  add(holds) {
    this.count++
    if (holds) this.held++
  }
  get figures() {
    return { share: Number((this.held / this.count).toFixed(4)), held: this.held, cases: this.count }
  }
}

export async function measure(model, questions) {
  const { layers } = model.info
  const patches = Array.from({ length: layer }, () => ({ changes: new Share(), becomes: new Share() }))
  const lens = Array.from({ length: layers }, () => new Share())
  const ablated = { lower: new Share(), changes: new Share() }
  const right = new Share()
  let example
  for (const one of questions) {
    const ids = await idsOf(model, one.question)
    const swap = await swapOf(model, ids, one)
    if (!swap) continue
    const { text: answer, tokens } = await model.generate(ids, greedy)
    right.add(has(answer, one.word))
    if (!has(answer, one.word)) continue

    // The step at which the first token of the word is chosen.
    const pieces = tokens.map(({ text }) => text)
    const begin = answer.search(new RegExp(`\\b${one.word}\\b`))
    let length = 0
    const step = pieces.findIndex(piece => (length += piece.length) > begin)
    const written = tokens.map(({ id }) => id),
      before = [...ids, ...written.slice(0, step)]

    for (const [after, { changes, becomes }] of patches.entries()) {
      const { text } = await model.generate(ids, {
        ...greedy,
        edits: [{ patch: swap.ids, layer: after, positions: swap.positions }],
      })
      changes.add(!has(text, one.word))
      becomes.add(has(text, swap.word) && !has(text, one.word))
      if (
        after === patched &&
        text === answer.replace(one.word, swap.word) &&
        ids.length <= mostExampleTokens &&
        ids.length < (example?.tokens ?? Infinity)
      ) {
        example = {
          question: one.question,
          word: one.word,
          other: swap.word,
          layer: after,
          answer,
          patched: text,
          position: before.length - 1,
          tokens: ids.length,
        }
      }
    }

    const { layers: says } = await model.lens(before, { layers: [...lens.keys()], top: 1 })
    says.forEach(
      (
        {
          predictions: [
            {
              top: [best],
            },
          ],
        },
        at,
      ) => lens[at].add(best.id === written[step]),
    )

    const rest = written.slice(
      step,
      pieces.findIndex((_, at) =>
        pieces
          .slice(step, at + 1)
          .join('')
          .includes(one.word),
      ) + 1,
    )
    const edits = [{ head: [layer, head], scale: 0 }]
    const [[plain], [without]] = [await model.score(before, [rest]), await model.score(before, [rest], { edits })]
    ablated.lower.add(without.sum < plain.sum)
    ablated.changes.add(!has((await model.generate(ids, { ...greedy, edits })).text, one.word))
  }
  const figuresOf = shares => Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, share.figures]))
  return {
    questions: right.figures,
    head: { layer, head },
    patched: patches.map(figuresOf),
    ablated: figuresOf(ablated),
    lens: lens.map(({ figures }) => figures),
    example,
  }
}

export const questionsOf = count =>
  JSON.parse(
    execFileSync('python3', ['-m', 'stories.sources', '--count', `${count}`], { cwd: here('.'), encoding: 'utf8', maxBuffer: 1e9 }),
  )

if (import.meta.url === `file://${process.argv[1]}`) {
  const model = await loadModel()
  const measured = await measure(model, questionsOf(Number(process.argv[2] ?? 300)))
  await model.dispose()
  const text = `{\n${Object.entries(measured)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}\n`
  writeFileSync(here('../heed-stories.interventions.json'), text)
  console.log(text)
}
