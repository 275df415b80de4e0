// The template documents: files are read, kept and searched, and each answer cites the paragraph that it is from.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'
import { pdfOf, siteTest } from './support.mjs'

const read = (...path) => readFileSync(inRoot(...path))
const planted = JSON.parse(read('tests/create-templates/data/questions.json'))

const template = 'documents'
const ready = '#files:enabled'
const files = {
  '.env': 'VITE_EMBEDDING_MODEL=heed-events.gguf\n',
  'public/heed-events.gguf': read('models/tiny/heed-events.gguf'),
}

/** Asks, and resolves to the answer and the texts that it cites with their places. */
async function ask(page, question) {
  const before = await page.locator('#answers article').count()
  await page.fill('#question', question)
  await page.keyboard.press('Enter')
  const answer = page.locator('#answers article').first()
  await page.waitForFunction(before => document.querySelectorAll('#answers article[aria-busy=false]').length > before, before)
  return { text: await answer.locator('.said').innerText(), cited: await answer.locator('figure').allInnerTexts() }
}

const add = async (page, ...added) => {
  await page.setInputFiles('#files', added)
  await page.locator(ready).waitFor()
}

siteTest(
  'documents: stories are answered from the right paragraph, and kept',
  { template, files, ready },
  async (page, { again }) => {
    await page.click('#example')
    await page.locator('#ask:enabled').waitFor()
    for (const [question, word] of [
      ['Who found the lantern?', 'Ada'],
      ['Who brought the kite back?', 'Mia'],
      ['Who found the letter?', 'Finn'],
    ]) {
      const { text, cited } = await ask(page, question)
      assert.match(text, new RegExp(word))
      assert.match(cited.join('\n'), new RegExp(`${word}[^]*\\[1\\] example\\.md, The`))
    }
    const pdf = pdfOf([
      ['Minutes of the allotment club.'],
      ['The club will plant an apple tree beside the pond on Satur-', 'day, and everybody brings a spade.'],
      ['The next meeting is in Edith’s shed.'.replace('’', "'")],
    ])
    await add(page, { name: 'minutes.pdf', mimeType: 'application/pdf', buffer: pdf })
    const { cited } = await ask(page, 'Which tree is planted?')
    assert.match(
      cited[0],
      /^The club will plant an apple tree beside the pond on Saturday, and everybody brings a spade\.\s+\[1\] minutes\.pdf, page 1$/,
    )

    await add(page, { name: 'noise.bin', mimeType: 'text/plain', buffer: Buffer.from([255, 254, 0, 1]) })
    assert.equal(await page.innerText('#reading'), 'noise.bin is neither a PDF nor a text in UTF-8')
    await add(page, { name: 'empty.md', mimeType: 'text/markdown', buffer: Buffer.from('# Only a title\n') })
    assert.match(await page.innerText('#reading'), /^empty\.md has no text/)

    const next = await again()
    assert.deepEqual(await next.locator('#documents li > span').allInnerTexts(), [
      'example.md 5 paragraphs',
      'minutes.pdf 3 paragraphs',
    ])
    await next.click('text=Remove >> nth=1')
    await next.waitForFunction(() => document.querySelectorAll('#documents li').length === 1)
    assert.match((await ask(next, 'Who mended the bridge?')).cited[0], /^A bear named Bruno mended/)
  },
)

siteTest('documents: planted questions are answered from the right paragraphs', { template, files, ready }, async page => {
  await add(page, { name: 'lighthouse.md', mimeType: 'text/markdown', buffer: read('tests/create-templates/data/lighthouse.md') })
  const wrong = []
  for (const { question, has } of planted) {
    const { cited } = await ask(page, question)
    if (!cited[0]?.includes(has)) wrong.push(`${question}: ${cited}`)
  }
  assert.ok(wrong.length <= 2, wrong.join('\n'))
})
