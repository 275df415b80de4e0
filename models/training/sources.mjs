// How often the page has a source to show for an answer (web/lesson/answer-source.ts), and how often that is what was asked for: the
// threshold is chosen by it. For the bundled model, on held-out questions (stories/sources.py) that it answers greedily.
//
//     npm run build -- package && node models/training/sources.mjs [QUESTIONS]      # prints a table; Node 24, which reads the page's TypeScript
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadModel } from 'heed'
import { answerSource, lastSentence, leastShare, refuses } from '../../web/lesson/answer-source.ts'

const here = file => new URL(file, import.meta.url)
const { layer, head } = JSON.parse(readFileSync(here('../heed-stories.heads.json'), 'utf8')).find(({ kind }) => kind === 'answer')
const asked = JSON.parse(
  execFileSync('python3', ['-m', 'stories.sources', '--all', '--count', process.argv[2] ?? '200'], {
    cwd: here('.'),
    encoding: 'utf8',
    maxBuffer: 1e9,
  }),
)

/** The least shares to compare; the first is the one that the page has. */
const leasts = [leastShare, 0.3, 0.4, 0.6, 0.7]
const wordsOf = text => text.toLowerCase().split(/[^\p{L}]+/u)

const model = await loadModel()
/** By kind of answer: how many, and for each least share how many have a source, and how many of those are a word that was asked for. */
const counts = {}
for (const { turns, key } of asked) {
  const {
    text,
    steps: [{ promptIds, generation }],
  } = await model.chat(turns, { temperature: 0, maxTokens: 60 })
  const ids = [...promptIds, ...generation.tokens.map(({ id }) => id)]
  const {
    tokens,
    weights: [[all]],
  } = await model.attention(ids, { layers: [layer], heads: [head] })
  const look = position => ({ first: 0, weights: all.subarray(position * ids.length, position * ids.length + position + 1) })
  const kind = refuses(text) ? 'does not tell' : key && text.toLowerCase().includes(key.toLowerCase()) ? 'right' : 'wrong'
  const count = (counts[kind] ??= { answers: 0, ...Object.fromEntries(leasts.map(least => [least, { offered: 0, asked: 0 }])) })
  count.answers++
  for (const least of leasts) {
    const found = answerSource(
      tokens.map(token => token.text),
      { from: promptIds.length, to: ids.length },
      lastSentence(turns.at(-1).content),
      look,
      least,
    )
    if (!found) continue
    count[least].offered++
    if (key && wordsOf(key).includes(found.text.toLowerCase())) count[least].asked++
  }
}
await model.dispose()
console.log(JSON.stringify(counts, undefined, 2))
