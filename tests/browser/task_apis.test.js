// heed/task-apis in a page: installation, one load for all classes, streams, and the browser's exceptions, also over the bundled model.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { scriptedModel } from '../support/scripted_model.mjs'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const { inPage } = useBrowser()
let site

before(async () => {
  site = await serveSite({ change: dist => writeFileSync(join(dist, '..', 'chat.gguf'), scriptedModel(['The answer.'])) })
})
after(() => site.close())

test('classes are installed, share one model, and write', async () => {
  const told = await inPage(site, async () => {
    const { install } = await import('./dist/task-apis.js')
    const names = ['Summarizer', 'Writer', 'Rewriter', 'Translator', 'LanguageDetector']
    for (const name of names) delete globalThis[name] // if the browser has its own
    let loads = 0
    const load = (...args) => {
      loads++
      return heed.loadModel(...args)
    }
    install(globalThis, { source: 'chat.gguf', load, threads: 2 })
    const before = await Summarizer.availability()
    const progress = []
    const monitor = target => target.addEventListener('downloadprogress', ({ loaded }) => progress.push(loaded))
    const summarizer = await Summarizer.create({ type: 'tldr', sharedContext: 'A test.', monitor })
    const reader = summarizer.summarizeStreaming('A long text.').getReader()
    const chunks = []
    for (let next; !(next = await reader.read()).done; ) chunks.push(next.value)
    const languages = { sourceLanguage: 'en', targetLanguage: 'ja' }
    const answers = [
      chunks.join(''),
      await (await Writer.create()).write('A letter.'),
      await (await Rewriter.create()).rewrite('A text.'),
      await (await Translator.create(languages)).translate('A text.'),
    ]
    const name = promise => promise.then(String, error => error.name)
    const translator = await Translator.create(languages)
    const running = name(translator.translate('x'))
    translator.destroy()
    return {
      before,
      after: await Translator.availability(languages),
      answers,
      progress: [progress[0], progress.at(-1)],
      loads,
      errors: [
        await running,
        await name(Writer.create({ tone: 'angry' })),
        await name(summarizer.summarize('x', { signal: AbortSignal.abort() })),
        await name(summarizer.summarize('long '.repeat(2000))),
      ],
    }
  })
  assert.deepEqual(told, {
    before: 'downloadable',
    after: 'available',
    answers: Array(4).fill('The answer.'),
    progress: [0, 1],
    loads: 1,
    errors: ['AbortError', 'TypeError', 'AbortError', 'QuotaExceededError'],
  })
})

test('the bundled model takes part in all', async () => {
  const told = await inPage(site, async () => {
    const { createTaskAPIs } = await import('./dist/task-apis.js')
    const model = await heed.loadModel()
    const { Summarizer, LanguageDetector } = createTaskAPIs({ model, chat: { maxTokens: 5, seed: 1 } })
    const summarizer = await Summarizer.create({ type: 'headline', format: 'plain-text' })
    const one = await summarizer.summarize('The fox slept.')
    return [
      one,
      await summarizer.summarize('The fox slept.'),
      (await (await LanguageDetector.create()).detect('The fox slept.')).at(-1),
    ]
  })
  const [one, again, last] = told
  assert.ok(one.length > 0)
  assert.equal(again, one)
  assert.equal(last.detectedLanguage, 'und')
})
