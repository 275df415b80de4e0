// Everything that takes time shows its progress: a model that loads, a prompt that is read, a text that is generated.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { build } from 'rolldown'
import { defaultModelBytes } from '../../package/support.mjs'
import { inRoot } from '../../../tools/paths.mjs'
import { serveModel } from '../../support/model_server.mjs'
import { held, hold } from '../held.mjs'
import { assertCalm, atBothWidths, hasModel, showsAttention } from '../page.mjs'

const models = await serveModel(defaultModelBytes())
after(() => models.close())

const long = `${'The fox hid a bell in the cave. '.repeat(50)} Who hid the bell?`

const waitForText = (page, selector, pattern) =>
  page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.innerText),
    [selector, pattern.source],
  )

atBothWidths(
  'a model that loads shows its whole name, its share, the rate and the time left, and nothing moves',
  async ({ open, width }) => {
    const page = await open()
    await hasModel(page)
    const name = `${'a-long-name-'.repeat(7)}q4.gguf`
    await page.click('.other-models summary')
    await page.fill('#url', `${models.url}/slow/${name}`)
    await page.click('#address button')
    await waitForText(page, '#loading-pace', /^\d+ %, [\d.]+ [kM]B\/s, \d+ (s|min) left$/)
    const seen = await page.evaluate(() => {
      const what = document.getElementById('loading-what')
      const { left, right } = what.getBoundingClientRect()
      const { width } = document.getElementById('loading-bar').getBoundingClientRect()
      return {
        text: what.textContent,
        cut: what.scrollWidth > what.clientWidth + 1 && getComputedStyle(what).overflow !== 'visible',
        left,
        right,
        width,
        whole: document.documentElement.scrollWidth,
      }
    })
    assert.ok(seen.text.includes(`“${name}”`), seen.text)
    assert.ok(!seen.cut && seen.left >= 0 && seen.right <= width, JSON.stringify(seen))
    assert.ok(seen.whole <= width, `${seen.whole} pixels`)
    assert.ok(seen.width > 150, `a bar of ${seen.width} pixels`)
    assert.match(await page.textContent('#loading-text'), /: [\d.]+ [kM]?B of [\d.]+ MB$/)
    const height = () => page.evaluate(() => document.getElementById('loading').offsetHeight)
    const before = await height()
    await page.waitForFunction(() => document.getElementById('loading-bar').value > 0.5)
    assert.equal(await height(), before)
    await page.click('#loading-cancel')
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Use another model')
    assertCalm(page)
  },
)

atBothWidths(
  'a long prompt says how much of it has been read, in the chat and in free text',
  async ({ open }) => {
    const page = await open()
    await showsAttention(page)
    await hold(page, 'read')
    await page.fill('#message', long)
    await page.press('#message', 'Enter')
    await waitForText(page, '#chat-log .waiting', /^Reading [1-9]\d? %$/)
    const first = await page.innerText('#chat-log .waiting')
    await hold(page, 'read')
    await page.waitForFunction(first => document.querySelector('#chat-log .waiting').innerText !== first, first)
    assert.ok(Number.parseInt((await page.innerText('#chat-log .waiting')).slice(8), 10) > Number.parseInt(first.slice(8), 10))
    await hold(page)
    await page.waitForFunction(() => Boolean(globalThis.heed.conversation.last.ending))
    assert.ok(await page.isHidden('#chat-log .waiting'))
    await page.click('#rooms [value=text]')
    // Without a pause in which the viewer would read it.
    await page.evaluate(text => {
      document.getElementById('prompt').value = text
    }, `Once. ${long}`)
    await hold(page, 'read')
    await page.click('#write')
    await waitForText(page, '#figures', /^Reading [1-9]\d? %$/)
    await hold(page)
    await waitForText(page, '#figures', /^\d+ tokens?/)
    assertCalm(page)
  },
  held,
)

atBothWidths(
  'an answer shows how soon its first token came and, from 16 tokens on, its pace',
  async ({ open }) => {
    const page = await open()
    await showsAttention(page)
    await hold(page, 'token', 5)
    await page.fill('#message', 'Write a story about a fox and a lantern.')
    await page.press('#message', 'Enter')
    await waitForText(page, '.turn-figures', /^5 tokens, first after [\d.]+ m?s$/)
    await hold(page, 'token', 11)
    await waitForText(page, '.turn-figures', /^16 tokens, [\d.]+ tokens\/s, first after [\d.]+ m?s$/)
    assert.ok(await page.isVisible('#chat-stop'))
    const box = await page.evaluate(() => {
      const { right, bottom } = document.querySelector('.turn-figures').getBoundingClientRect()
      return {
        seen: getComputedStyle(document.querySelector('.turn-figures')).visibility,
        inside: right <= innerWidth && bottom <= innerHeight,
      }
    })
    assert.deepEqual(box, { seen: 'visible', inside: true })
    await hold(page)
    await page.waitForFunction(() => Boolean(globalThis.heed.conversation.last.ending))
    const tokens = await page.evaluate(() => globalThis.heed.conversation.last.ending.tokens)
    await waitForText(page, '.turn-figures', new RegExp(`^${tokens} tokens, [\\d.]+ tokens/s, first after [\\d.]+ m?s$`))
    assertCalm(page)
  },
  held,
)

test('the rate of reading a file is measured in its own phase', async () => {
  const {
    output: [{ code }],
  } = await build({ input: inRoot('bindings/elements/download/rate.ts'), write: false })
  const { Rate } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const rate = new Rate()
  const model = {}
  const at = (phase, loaded, ms, rest = {}, of = model) => rate.at({ phase, loaded, cached: 0, ...rest }, of, ms)
  assert.equal(at('load', 0, 1000), undefined)
  assert.equal(at('load', 100, 1100), undefined, 'too soon to tell')
  assert.equal(at('load', 4000, 3000), 2000)
  assert.equal(at('check', 4000, 3000), undefined, 'another phase begins anew')
  assert.equal(at('check', 5000, 4000), 1000)
  assert.equal(at('check', 0, 5000, { file: 'projector' }), undefined, 'and so does another file')
  assert.equal(at('check', 10, 6000, {}, {}), undefined, 'and another model')
  assert.equal(at('download', 10, 7000, { bytesPerSecond: 70 }), 70, 'what the package says')
  assert.equal(at('download', 10, 9000), undefined)
})
