// The words that a word of an answer looked at, lit in the bubbles: by a tap, by arrow keys, and for "Where did it find that?".
import assert from 'node:assert/strict'
import { say } from '../chatting.mjs'
import { heldFromStart, hold } from '../held.mjs'
import { assertCalm, atBothWidths, chatHash, hasBundled, sample } from '../page.mjs'

const question = 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?'

const isConfirmed = page => page.waitForFunction(() => globalThis.heed?.viewer.token !== undefined && heed.attention !== undefined)

/** The page with the bundled model, whose answers are always the same. */
async function begin(turn) {
  const page = await turn()
  if (await page.isVisible('#example')) await isConfirmed(page)
  await hasBundled(page)
  await sample(page, { temperature: '0' })
  return page
}

/** Taps the middle of a word in the last element that matches, with a pointer event at that place. */
const tap = (page, selector, word) =>
  page.evaluate(
    ([selector, word]) => {
      const walker = document.createTreeWalker([...document.querySelectorAll(selector)].at(-1), NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf(word)
        if (at < 0) continue
        const range = new Range()
        range.setStart(walker.currentNode, at)
        range.setEnd(walker.currentNode, at + word.length)
        const { left, top, width, height } = range.getBoundingClientRect()
        const [clientX, clientY] = [left + width / 2, top + height / 2]
        document
          .elementFromPoint(clientX, clientY)
          .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, clientX, clientY }))
        return
      }
      throw new Error(`no “${word}”`)
    },
    [selector, word],
  )

/** The lit words, by strength, with their lines; and the word that looked. */
const lit = page =>
  page.evaluate(() =>
    Object.fromEntries(
      [...CSS.highlights].map(([name, ranges]) => [
        name,
        [...ranges].map(range => [
          `${range}`,
          range.startContainer.parentElement.closest('.said, .answer, .example-answer')?.className.split(' ')[0],
        ]),
      ]),
    ),
  )

const sayingOf = (page, selector, pattern) =>
  page.waitForFunction(
    ([selector, source]) => [...document.querySelectorAll(selector)].some(one => new RegExp(source).test(one.textContent)),
    [selector, pattern.source],
  )

/** Whether each answer offers to show its source. */
const offers = page =>
  page.evaluate(() =>
    [...document.querySelectorAll('.model-turn')].map(turn =>
      [...turn.querySelectorAll('button')].some(button => button.textContent === 'Where did it find that?' && !button.hidden),
    ),
  )

const find = page =>
  page.evaluate(() =>
    [...document.querySelectorAll('.model-turn button')]
      .findLast(({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden)
      .click(),
  )

/** The places of the strongest light and the caption, and the visible part of the list of turns. */
const sight = page =>
  page.evaluate(() => {
    const source = [...CSS.highlights.get('looked-4')][0].getBoundingClientRect()
    const list = document.getElementById('chat-log').getBoundingClientRect()
    const sheet = document.querySelector('.sheet')
    return {
      source: source.toJSON(),
      top: Math.max(list.top, 0),
      bottom: Math.min(list.bottom, innerHeight, sheet ? innerHeight * 0.38 : innerHeight),
    }
  })

function assertSeen({ source, top, bottom }) {
  assert.ok(source.top >= top && source.bottom <= bottom, JSON.stringify({ source, top, bottom }))
}

atBothWidths('a word of the example is tapped', async ({ open }) => {
  const page = await open()
  await isConfirmed(page)
  await tap(page, '.example-answer', 'lantern')
  await sayingOf(page, '#example-said', /^To write “lantern”, it looked back at “lantern” \(9\d/)
  const { looking, 'looked-4': most } = await lit(page)
  assert.deepEqual([looking, most], [[['lantern', 'example-answer']], [['lantern', 'said']]])
  assert.equal(await page.evaluate(() => document.querySelectorAll('.sheet').length), 0, 'nothing covers it')
  await say(page, question)
  assert.equal((await lit(page)).looking, undefined, 'it is put out with the example')
  assertCalm(page)
})

atBothWidths(
  'a word of the example that is tapped before the model is there waits for it',
  async ({ open }) => {
    const page = await open()
    await page.waitForFunction(() => Boolean(globalThis.heed))
    await tap(page, '.example-answer', 'lantern')
    assert.equal((await page.innerText('#example-said')).trim(), 'What this word looked at is shown once the model is loaded.')
    assert.equal(await page.evaluate(() => heed.model), undefined)
    await hold(page)
    await sayingOf(page, '#example-said', /^To write “lantern”, it looked back at “lantern” \(9\d/)
    assert.deepEqual((await lit(page)).looking, [['lantern', 'example-answer']])
    assertCalm(page)
  },
  heldFromStart,
)

atBothWidths(
  'a word of an answer is tapped, another one follows in the viewer, and text can still be selected',
  async ({ turn }) => {
    const page = await begin(turn)
    await say(page, question)
    await tap(page, '.answer', 'found')
    await sayingOf(page, '.found', /^To write “found”, it looked back at “found” \(8\d/)
    assert.deepEqual((await lit(page)).looking, [['found', 'answer']])
    assert.deepEqual((await lit(page))['looked-4'], [['found', 'said']])
    assert.equal(
      await page.evaluate(() => document.querySelectorAll('#chat-log [tabindex]').length),
      0,
      'no word is a stop of the keyboard',
    )
    await page.evaluate(() => {
      heed.viewer.token = heed.passage.promptTokens.length
    })
    await page.waitForFunction(() => [...CSS.highlights.get('looking')].join('') === 'Ada')
    await page.evaluate(() => {
      const range = new Range()
      range.selectNodeContents(document.querySelector('.answer p'))
      getSelection().removeAllRanges()
      getSelection().addRange(range)
    })
    await tap(page, '.answer', 'lantern')
    assert.equal(await page.evaluate(() => `${getSelection()}`.trim()), 'Ada found the lantern.')
    assert.deepEqual((await lit(page)).looking, [['Ada', 'answer']], 'the end of a selection is no tap')
    assertCalm(page)
  },
)

atBothWidths('arrow keys go through the words of answers from one stop, and Escape puts them out', async ({ turn }) => {
  const page = await begin(turn)
  await say(page, question)
  await page.focus('#chat-log')
  const words = ['Ada', 'found', 'the', 'lantern']
  for (const word of words) {
    await page.press('#chat-log', 'ArrowRight')
    await sayingOf(page, '.found', new RegExp(`^To write “${word}”`))
  }
  await page.press('#chat-log', 'ArrowLeft')
  await sayingOf(page, '.found', /^To write “the”/)
  assert.deepEqual((await lit(page)).looking, [['the', 'answer']])
  await page.press('#chat-log', 'Escape')
  await page.waitForFunction(() => CSS.highlights.size === 0)
  assertCalm(page)
})

atBothWidths(
  'the source of an answer is lit and in sight, also far above, and none is offered for an answer that tells nothing',
  async ({ turn, width }) => {
    const page = await begin(turn)
    await say(page, 'Write a story about a fox and a lantern.')
    await say(page, 'What was the fox called?')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.model-turn button')].some(
        ({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden,
      ),
    )
    const toCome = () =>
      page.evaluate(() => {
        const { scrollHeight, scrollTop, clientHeight } = document.getElementById('chat-log')
        return scrollHeight - scrollTop - clientHeight
      })
    assert.ok((await toCome()) <= 1, 'the end stays in view')
    await say(page, 'Why did the queen sing?')
    assert.match(await page.evaluate(() => [...document.querySelectorAll('.answer')].at(-1).textContent), /does not tell/)
    await page.waitForFunction(() => heed.attention !== undefined)
    assert.deepEqual(await offers(page), [false, true, false])
    await find(page)
    await sayingOf(page, '.found', /^To write “\w+”, it looked back at the same word/)
    await page.waitForFunction(() => CSS.highlights.get('looked-4')?.size > 0)
    const name = await page.evaluate(() => [...CSS.highlights.get('looking')].join(''))
    assert.deepEqual((await lit(page))['looked-4'], [[name, 'answer']], 'in the story')
    await page.waitForFunction(() => {
      const { top, bottom } = [...CSS.highlights.get('looked-4')][0].getBoundingClientRect()
      return top >= Math.max(0, document.getElementById('chat-log').getBoundingClientRect().top) && bottom <= innerHeight
    })
    assertSeen(await sight(page))
    assert.equal(await page.evaluate(() => document.querySelector('.sheet') !== null), width < 640)
    assertCalm(page)
  },
)

atBothWidths(
  'the answers of a shared conversation offer their source, and a model without the head offers none',
  async ({ open }) => {
    const messages = [
      { role: 'user', content: question },
      { role: 'assistant', content: 'Ada found the lantern.' },
    ]
    const page = await open(chatHash(messages))
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.model-turn button')].some(
        ({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden,
      ),
    )
    await find(page)
    await sayingOf(page, '.found', /^Before “Ada”, it looks back at the same word/)
    await page.waitForFunction(() => CSS.highlights.get('looked-4')?.size > 0 && CSS.highlights.get('looking')?.size > 0)
    assert.deepEqual((await lit(page)).looking, [['Ada', 'answer']])
    assert.deepEqual((await lit(page))['looked-4'], [['Ada', 'said']])
    await tap(page, '.answer', 'lantern')
    await sayingOf(page, '.found', /^Before “lantern”, it looks back at “lantern”/)
    await page.evaluate(async () => {
      const bytes = await (await fetch('tiny/heed-questions.gguf')).arrayBuffer()
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], 'questions.gguf'))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    })
    await page.waitForFunction(() => heed.model.info.name !== 'heed-stories')
    assert.deepEqual(await offers(page), [false])
    assertCalm(page)
  },
)
