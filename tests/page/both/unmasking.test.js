// The page with a model of masked diffusion: texts and answers fill in where the model is most certain first, and how can be looked at later.
import assert from 'node:assert/strict'
import { newerFamily } from '../../support/newer_families.mjs'
import { assertCalm, atBothWidths, choose, hasModel, sample, write } from '../page.mjs'
import { answered, bring } from '../chatting.mjs'

const places = 16 // the slider of the longest text has steps of 8
const masked = newerFamily('llada', {
  'tokenizer.ggml.mask_token_id': ['u32', 5],
  'diffusion.shift_logits': ['bool', false],
  'tokenizer.chat_template': ['string', '{% for message in messages %}{{ message.content }}{% endfor %}'],
})

/** The passes of the same text, as the model reports them. */
const passesOf = (page, prompt) =>
  page.evaluate(
    async ([prompt, maxTokens]) => {
      const steps = []
      await heed.model.generate(prompt, { maxTokens, temperature: 0, onUnmasked: step => steps.push(step) })
      return steps.map(({ tokens }) => tokens.length)
    },
    [prompt, places],
  )

/** What a view of a text that fills in shows. */
const shownIn = (page, view) =>
  page.evaluate(view => {
    const place = document.querySelector(view)
    return {
      isOpen: place.open,
      summary: place.querySelector('summary').textContent,
      state: place.querySelector('output').value,
      masks: place.querySelectorAll('.mask').length,
      fresh: place.querySelectorAll('.new').length,
      text: [...place.querySelectorAll('.filling-text span')].map(span => span.textContent).join(''),
    }
  }, view)

/** Checks that the slider goes back to the first pass, in which as many masks were replaced as the model reported. */
async function goesBack(page, view, passes) {
  const whole = await shownIn(page, view)
  assert.deepEqual([whole.isOpen, whole.summary], [false, `How it filled in, in ${passes.length} passes`])
  assert.deepEqual([whole.masks, whole.fresh], [0, passes.at(-1)])
  assert.equal(whole.state, `Pass ${passes.length}: ${places} of ${places} places filled`)
  await page.click(`${view} summary`)
  await page.evaluate(view => {
    const slider = document.querySelector(`${view} input`)
    slider.value = '1'
    slider.dispatchEvent(new Event('input', { bubbles: true }))
  }, view)
  const first = await shownIn(page, view)
  assert.deepEqual([first.isOpen, first.masks, first.fresh], [true, places - passes[0], passes[0]])
  assert.equal(first.state, `Pass 1: ${passes[0]} of ${places} places filled`)
  return whole.text
}

atBothWidths('a text and an answer fill in from masks, and show how they did', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await bring(page, masked, 'llada')
  await sample(page, { temperature: '0', maxTokens: `${places}` })

  await page.check('#rooms [value=text]')
  await page.check('#whole-text')
  const view = '#outcome .filling'
  assert.ok(await page.isHidden(view))
  await page.evaluate(view => {
    const place = document.querySelector(view)
    globalThis.masks = []
    new MutationObserver(() => globalThis.masks.push(place.querySelectorAll('.mask').length)).observe(place, {
      childList: true,
      subtree: true,
    })
  }, view)
  const text = await write(page, 'the hen')
  const passes = await passesOf(page, 'the hen')
  assert.ok(passes.length > 2)
  const left = passes.map((_, pass) => places - passes.slice(0, pass + 1).reduce((sum, count) => sum + count))
  const seen = await page.evaluate(() => globalThis.masks)
  assert.deepEqual([...new Set(seen)], left, 'each pass is shown as it comes')
  assert.equal(await goesBack(page, view, passes), text)

  await page.check('#rooms [value=chat]')
  await page.fill('#message', 'the fox')
  await page.click('#send')
  await answered(page)
  const prompt = await page.evaluate(() => heed.conversation.last.steps[0].promptIds)
  const said = await goesBack(page, '.model-turn .filling', await passesOf(page, [...prompt]))
  assert.equal((await page.textContent('.model-turn .answer')).trim(), said.trim())
  assert.equal(
    await page.textContent('.model-turn .ending'),
    'The answer has reached the longest length (“Max tokens” under “Sampling”).',
  )

  await choose(page, 'llama', newerFamily('llama'))
  await page.check('#rooms [value=text]')
  assert.ok(await page.isHidden(view), 'not for a model that writes from left to right')
  assertCalm(page)
})
