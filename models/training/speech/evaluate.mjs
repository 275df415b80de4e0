// What Heed hears with the speech model: word errors and times of words, by condition and by voice, of sounds that
// conditions.py has written.
//
//     npm run build -- package && node models/training/speech/evaluate.mjs MODEL.bin FOLDER
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadModel } from 'heed'

const rate = 16_000
const near = 0.2 // seconds

/** The cheapest way from what was said to what was heard: the number of errors, and pairs of places where both have the same word. */
export function compare(said, heard) {
  const cost = Array.from({ length: said.length + 1 }, (_, i) =>
    Array.from({ length: heard.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= said.length; i++) {
    for (let j = 1; j <= heard.length; j++) {
      const replaced = cost[i - 1][j - 1] + (said[i - 1] === heard[j - 1] ? 0 : 1)
      cost[i][j] = Math.min(replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    }
  }
  const pairs = []
  for (let i = said.length, j = heard.length; i > 0 && j > 0; ) {
    const same = said[i - 1] === heard[j - 1]
    if (cost[i][j] === cost[i - 1][j - 1] + (same ? 0 : 1)) {
      if (same) pairs.push([i - 1, j - 1])
      i--
      j--
    } else if (cost[i][j] === cost[i - 1][j] + 1) i--
    else j--
  }
  return { errors: cost[said.length][heard.length], pairs }
}

class Figures {
  sounds = 0
  words = 0
  errors = 0
  whole = 0
  right = 0
  begins = 0
  lit = 0

  /** `said` and `heard`: words with times. */
  add(said, heard) {
    const { errors, pairs } = compare(
      said.map(({ text }) => text),
      heard.map(({ text }) => text),
    )
    this.sounds++
    this.words += said.length
    this.errors += errors
    this.whole += errors === 0
    this.right += pairs.length
    for (const [i, j] of pairs) {
      const [word, found] = [said[i], heard[j]]
      const middle = (word.start + word.end) / 2
      this.begins += Math.abs(word.start - found.start) <= near
      this.lit += found.start - near <= middle && middle < found.end + near
    }
  }

  get row() {
    const { sounds, words, errors, whole, right, begins, lit } = this
    const share = (count, of) => (of === 0 ? '' : `${((100 * count) / of).toFixed(1)} %`)
    return [
      sounds,
      words,
      share(errors, words) || `${errors} made up`,
      share(whole, sounds),
      share(begins, right),
      share(lit, right),
    ]
  }
}

const titles = ['sounds', 'words', 'word errors', 'without an error', 'begins within 0.2 s', 'lit within 0.2 s']

function table(of, groups) {
  console.log(`\n| ${[of, ...titles].join(' | ')} |\n|${' --- |'.repeat(titles.length + 1)}`)
  for (const [name, figures] of groups) console.log(`| ${[name, ...figures.row].join(' | ')} |`)
}

async function main() {
  const [file, folder] = parseArgs({ allowPositionals: true }).positionals
  if (!folder) throw new Error('usage: evaluate.mjs MODEL.bin FOLDER')
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  const bytes = readFileSync(join(folder, 'samples.i16'))
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const model = await loadModel(file)
  const conditions = new Map()
  const voices = new Map()
  const [all, speech] = [new Figures(), new Figures()]
  const of = (groups, name) => groups.get(name) ?? groups.set(name, new Figures()).get(name)
  for (const { condition, voice, words, times, at, count } of index) {
    const data = Float32Array.from(samples.subarray(at, at + count), sample => sample / 32_768)
    const { segments } = await model.transcribe({ sampleRate: rate, data }, { words: true })
    const heard = segments.flatMap(segment => segment.words ?? [])
    const said = words.map((text, place) => ({ text, start: times[place][0], end: times[place][1] }))
    const groups = [of(conditions, condition), all]
    if (said.length > 0) groups.push(speech)
    if (condition === 'clean') groups.push(of(voices, /^flite/.test(voice) ? voice : (voice.split('+')[1] ?? voice)))
    for (const figures of groups) figures.add(said, heard)
  }
  model.dispose()
  table('condition', [...conditions, ['all of speech', speech]])
  table(
    'voice, clean',
    [...voices].sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

if (process.argv[1] === import.meta.filename) await main()
