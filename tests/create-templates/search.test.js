// The search of the templates, in Node: by words where the model does not know the subject, by meaning where words do not
// distinguish texts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { loadModel } from 'heed'
import { build } from 'vite'
import { inRoot } from '../../tools/paths.mjs'
import { temporaryFolder } from '../create/support.mjs'
import { projectTest } from './support.mjs'

const readData = name => readFileSync(inRoot('tests/create-templates/data', name), 'utf8')
const planted = JSON.parse(readData('questions.json'))
const events = JSON.parse(readData('events.json'))

const { folder, close } = temporaryFolder()
after(close)
let model
before(async () => {
  model = await loadModel(inRoot('models/tiny/heed-events.gguf'))
})
after(() => model?.dispose())

/** The exports of `entry` in a project, bundled for Node. */
async function modulesOf(project, entry) {
  const lib = { entry: `${project.folder}/${entry}`, formats: ['es'], fileName: 'module' }
  const options = { outDir: `${folder}/${entry}`, emptyOutDir: true, lib, rolldownOptions: { external: ['heed'] } }
  await build({ root: project.folder, configFile: false, logLevel: 'warn', ssr: { noExternal: true }, build: options })
  const code = readFileSync(`${folder}/${entry}/module.js`, 'utf8').replaceAll(
    /from ?["']heed["']/g,
    `from '${import.meta.resolve('heed')}'`,
  )
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

const embed = texts => model.embed(texts, { normalize: true, truncate: true })

/** For how many questions the right text is found first: {both, words}, with vectors and without. */
async function rightOnes(Search, texts, questions) {
  const vectors = await embed(texts)
  const ofQuestions = await embed(questions.map(({ question }) => question))
  const both = new Search()
  const words = new Search()
  for (const [at, text] of texts.entries()) {
    both.add({ id: String(at), text, vector: vectors[at] })
    words.add({ id: String(at), text })
  }
  const right = (found, has) => Number(found[0]?.passage.text.includes(has) ?? false)
  return questions.reduce(
    (sum, { question, has }, at) => ({
      both: sum.both + right(both.find(question, ofQuestions[at]), has),
      words: sum.words + right(words.find(question), has),
    }),
    { both: 0, words: 0 },
  )
}

projectTest('the right paragraph is found first', 'documents', {}, async project => {
  const { Search } = await modulesOf(project, 'src/search/search.ts')
  const { paragraphsOf } = await modulesOf(project, 'src/reading/paragraphs.ts')
  const paragraphs = paragraphsOf(readData('lighthouse.md'))
  assert.equal(paragraphs.length, 30)
  assert.deepEqual(
    [...new Set(paragraphs.map(({ place }) => place))],
    ['The tower', 'The keepers', 'The island', 'Visiting', 'Upkeep'],
  )
  const texts = paragraphs.map(({ text }) => text)
  for (const { question, has } of planted) {
    assert.equal(texts.filter(text => text.includes(has)).length, 1, has)
    const words = question.toLowerCase().match(/[a-z]+/g)
    const copied = words.some(
      (_, at) => at + 5 <= words.length && texts.some(text => text.toLowerCase().includes(words.slice(at, at + 5).join(' '))),
    )
    assert.ok(!copied, `"${question}" is a copy`)
  }
  const { both, words } = await rightOnes(Search, texts, planted)
  assert.ok(both >= 18 && words >= 18, `${both} with vectors of a model that knows none of it, ${words} by words`)

  const told = await rightOnes(
    Search,
    events.map(({ text }) => text),
    events.map(({ text, question }) => ({ question, has: text })),
  )
  assert.ok(told.both >= 10, `${told.both} of ${events.length} by words and meaning`)
  assert.ok(told.words <= 8, `${told.words} of ${events.length} by words alone: these are no test of vectors`)

  const search = new Search()
  search.add({ id: 'a', text: 'The owl sleeps.' })
  search.add({ id: 'a', text: 'The fox sleeps.' })
  assert.deepEqual(search.find('owls'), [])
  assert.equal(search.find('foxes')[0].passage.text, 'The fox sleeps.')
  search.remove('a')
  search.remove('a')
  assert.equal(search.size, 0)
  assert.deepEqual(search.find('fox'), [])
})

projectTest('texts become paragraphs', 'documents', {}, async project => {
  const { paragraphsOf } = await modulesOf(project, 'src/reading/paragraphs.ts')
  assert.deepEqual(paragraphsOf('One\r\nline.\r\n\r\n## Two ##\nThree\n\nfour\n# Five\n\n\n'), [
    { text: 'One line.', place: '' },
    { text: 'Three', place: 'Two' },
    { text: 'four', place: 'Two' },
  ])
  const long = paragraphsOf('It is a sentence of forty-two characters. '.repeat(100))
  assert.ok(long.length > 2 && long.every(({ text }) => text.length <= 1300 && text.endsWith('.')))
})
