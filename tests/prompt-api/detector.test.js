// LanguageDetector, following its specification and web-platform-tests in ai/language_detection, over a model with given scores,
// and the bundled one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { createTaskAPIs } from 'heed/task-apis'
import { changedModel, endsWithAbort, loadScripted, rejectsAs } from './support.mjs'

const model = await loadScripted(['Unknown'])

/**
 * A detector over a model that gives these names their probabilities, and other names a small one; `asked` receives its prompts.
 */
async function detectorOf(probabilities, { asked = [], options, ...given } = {}) {
  const score = async (_, prompt, continuations, how) => {
    asked.push({ prompt, continuations, how })
    return continuations.map((name, index) => ({ index, sum: Math.log(probabilities[name] ?? 1e-9), mean: 0 }))
  }
  return createTaskAPIs({ model: changedModel(model, { score }), ...given }).LanguageDetector.create(options)
}

const rounded = results =>
  results.map(({ detectedLanguage, confidence }) => [detectedLanguage, Math.round(confidence * 1000) / 1000])

test('has the specified interface', async () => {
  const { LanguageDetector } = createTaskAPIs({ model })
  const detector = await LanguageDetector.create()
  assert.ok(detector instanceof LanguageDetector)
  assert.equal(String(detector), '[object LanguageDetector]')
  assert.equal(detector.expectedInputLanguages, null)
  assert.equal((await LanguageDetector.create({ expectedInputLanguages: [] })).expectedInputLanguages, null)
  assert.deepEqual((await LanguageDetector.create({ expectedInputLanguages: ['JA'] })).expectedInputLanguages, ['ja'])
  assert.equal(await LanguageDetector.availability(), 'available')
  assert.ok((await detector.measureInputUsage('Hello.')) > 0 && detector.inputQuota > 0)
  await assert.rejects(LanguageDetector.create({ expectedInputLanguages: ['j_'] }), RangeError)
  await assert.rejects(LanguageDetector.create({ expectedInputLanguages: 'ja' }), TypeError)
  await assert.rejects(detector.detect('x', 5), TypeError)
  await endsWithAbort(signal => detector.detect('x', { signal }))
  await endsWithAbort(signal => detector.measureInputUsage('x', { signal }))
  const running = detector.detect('x')
  detector.destroy()
  await rejectsAs('AbortError', running)
  await rejectsAs('AbortError', detector.detect('x'))
  const requested = 'long '.repeat(2000)
  await rejectsAs('QuotaExceededError', (await LanguageDetector.create()).detect(requested))
})

test('ranks languages, leaves out noise, and ends with und', async () => {
  const detector = await detectorOf({ German: 0.1, Dutch: 0.3, English: 0.5, Unknown: 0.1 - 1e-6 })
  assert.deepEqual(rounded(await detector.detect('Hallo')), [
    ['en', 0.5],
    ['nl', 0.3],
    ['de', 0.1],
    ['und', 0.1],
  ])
  const sure = await detectorOf({ French: 0.995, English: 0.004, Unknown: 0.0001 })
  assert.deepEqual(
    (await sure.detect('Bonjour')).map(({ detectedLanguage }) => detectedLanguage),
    ['fr', 'und'],
  )
  const unsure = await detectorOf({ Finnish: 0.1, Unknown: 0.3 })
  assert.deepEqual(rounded(await unsure.detect('abc')), [['und', 0.75]])
})

test('a text without letters has no language, and the model is not asked', async () => {
  const asked = []
  const detector = await detectorOf({}, { asked })
  for (const text of ['', ' \n', '12:30 …', '\u0000']) {
    assert.deepEqual(await detector.detect(text), [{ detectedLanguage: 'und', confidence: 1 }])
  }
  assert.deepEqual(asked, [])
})

test('asks for the names of the languages that may be meant', async () => {
  const asked = []
  await (await detectorOf({}, { asked, options: { expectedInputLanguages: ['gd', 'en'] } })).detect('Halò')
  await (await detectorOf({}, { asked, languages: ['de', 'en-GB'] })).detect('Hallo')
  const [usual, two] = asked
  for (const name of ['English', 'Japanese', 'Scottish Gaelic']) assert.ok(usual.continuations.includes(name), name)
  assert.equal(new Set(usual.continuations).size, usual.continuations.length)
  assert.deepEqual(two.continuations, ['German', 'British English', 'Unknown'])
  assert.equal(two.how.addSpecial, false)
  const text = (await model.detokenize(usual.prompt)).replaceAll('\u2581', ' ') // which byte tokens leave unchanged
  assert.match(text, /Which language is the text in\?[\s\S]*Text: Halò[\s\S]*assistant/)
})

test('the bundled model gives a result of the right type', async () => {
  const bundled = await loadModel(undefined, { threads: 1 })
  const detector = await createTaskAPIs({ model: bundled, languages: ['en', 'de', 'fr'] }).LanguageDetector.create()
  const results = await detector.detect('The fox slept.')
  assert.equal(results.at(-1).detectedLanguage, 'und')
  const confidences = results.map(({ confidence }) => confidence)
  assert.ok(confidences.every(one => one >= 0 && one <= 1))
  assert.ok(confidences.reduce((one, other) => one + other) <= 1 + 1e-12)
  const known = confidences.slice(0, -1)
  assert.deepEqual(
    known,
    [...known].sort((one, other) => other - one),
  )
  assert.deepEqual(await detector.detect('The fox slept.'), results)
  await bundled.dispose()
})
