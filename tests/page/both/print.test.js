// The printed page: the conversation, its attention, and the lesson with its tasks, whose answers are on a last page.
import assert from 'node:assert/strict'
import { say } from '../chatting.mjs'
import { assertCalm, atBothWidths, hasModel } from '../page.mjs'

/** The texts of the visible elements of the page and its viewer that match a selector. */
const visible = (page, selector) =>
  page.evaluate(
    selector =>
      [document, heed.viewer.shadowRoot]
        .flatMap(root => [...root.querySelectorAll(selector)])
        .filter(one => one.checkVisibility())
        .map(one => one.id || one.textContent),
    selector,
  )

/** The number of pages of a PDF. */
const pagesOf = bytes =>
  Buffer.from(bytes)
    .toString('latin1')
    .match(/\/Type \/Page\b/g).length

async function begin(turn) {
  const page = await turn()
  await hasModel(page)
  await say(page, 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?')
  return page
}

atBothWidths('a conversation and the lesson print without buttons, and nothing of them is cut', async ({ turn, browser }) => {
  const page = await begin(turn)
  await page.evaluate(() => {
    document.getElementById('lens').open = true
  })
  await page.waitForFunction(() => document.querySelector('#lens-grid [aria-selected=true]'))
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await visible(page, 'button:not(.bar-text button), input, select, textarea'), [])
  for (const selector of ['.said', '.answer', '#passage', '#heat-map', '#lens-grid', '#lesson-title', '#map-alignment svg']) {
    assert.equal((await visible(page, selector)).length > 0, true, selector)
  }
  const cut = await page.evaluate(() =>
    ['.chat-log', '.lens-frame', '.lens-grid', '.lesson', '.lesson figure', '#lesson-tasks'].filter(selector => {
      const one = document.querySelector(selector)
      return (
        (one.scrollHeight > one.clientHeight + 2 && getComputedStyle(one).overflowY !== 'visible') ||
        one.scrollWidth > one.clientWidth + 2
      )
    }),
  )
  assert.deepEqual(cut, [])
  const { rows, columns } = await page.evaluate(() => {
    const cells = [...document.querySelectorAll('#lens-grid tbody tr:first-child td')].map(cell => cell.getBoundingClientRect().top)
    const layers = [...document.querySelectorAll('#lens-grid tbody th')].map(cell => cell.getBoundingClientRect().left)
    const grows = list => list.every((value, at) => at === 0 || value > list[at - 1])
    return { rows: grows(cells), columns: grows(layers) }
  })
  assert.deepEqual([rows, columns], [true, true], 'tokens go down the page, and layers across it')
  if (browser === 'chromium') {
    const all = pagesOf(await page.pdf({ format: 'A4' }))
    await page.evaluate(() => {
      document.documentElement.dataset.printing = 'lesson'
    })
    const alone = pagesOf(await page.pdf({ format: 'A4' }))
    assert.ok(alone >= 3 && all > alone, `${alone} of ${all} pages`)
  }
  assertCalm(page)
})

atBothWidths('the tasks of the lesson are printed with what is asked, and their answers after all else', async ({ turn }) => {
  const page = await begin(turn)
  const answers = await page.evaluate(() =>
    [...document.querySelectorAll('#lesson-tasks details p')].map(answer => answer.textContent),
  )
  assert.ok(answers.length >= 3)
  assert.deepEqual(await visible(page, '#lesson-answers li'), [], 'not on the screen')
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await visible(page, '#lesson-tasks details'), [])
  assert.equal((await visible(page, '#lesson-tasks .on-paper')).length, 3)
  assert.deepEqual(await visible(page, '#lesson-answers li'), answers)
  const { breaks, isLast } = await page.evaluate(() => {
    const last = document.querySelector('.lesson-answers')
    return { breaks: getComputedStyle(last).breakBefore, isLast: document.body.innerText.trim().endsWith(last.innerText.trim()) }
  })
  assert.deepEqual([breaks, isLast], ['page', true])
  assertCalm(page)
})

atBothWidths('the lesson is printed alone by a command, and all of the page by the other', async ({ turn }) => {
  const page = await begin(turn)
  await page.evaluate(() => {
    globalThis.printed = []
    globalThis.print = () => globalThis.printed.push(document.documentElement.dataset.printing ?? 'all')
    document.getElementById('print-lesson').click()
  })
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await visible(page, '.said, .answer, #passage, .masthead'), [])
  assert.equal((await visible(page, '#lesson-title')).length, 1)
  await page.evaluate(() => {
    dispatchEvent(new Event('afterprint'))
    document.getElementById('print').click()
  })
  assert.deepEqual(await page.evaluate(() => globalThis.printed), ['lesson', 'all'])
  assert.equal((await visible(page, '.answer')).length, 1)
  assertCalm(page)
})
