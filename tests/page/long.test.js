// Long contents by unknown authors: conversations of links, prompts, answers, names. The page shows them, and stays usable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { pageModule } from '../support/page_modules.mjs'
import { assertCalm, chatHash, openPage, visitPage } from './page.mjs'

const { browser, site } = await visitPage()

const chatLink = messages => `${site.url}${chatHash(messages)}`
const turn = (at, content) => ({ role: at % 2 ? 'assistant' : 'user', content })

test('in a long conversation, the last turns are shown; earlier ones appear when one scrolls up to them', async () => {
  const page = await browser.open(chatLink(Array.from({ length: 350 }, (_, at) => turn(at, `turn ${at}`))))
  const shown = () =>
    page.evaluate(() => [...document.querySelectorAll('#chat-log .turn')].map(one => /turn \d+/.exec(one.textContent)[0]))
  const first = () => page.waitForFunction(() => document.querySelector('#chat-log .turn'))
  await first()
  assert.deepEqual(
    await shown(),
    Array.from({ length: 100 }, (_, at) => `turn ${250 + at}`),
  )
  for (let left = 250; left > 0; left -= Math.min(left, 100)) {
    const expected = Math.max(left - 100, 0)
    const top = await page.evaluate(() => {
      const log = document.getElementById('chat-log')
      log.scrollTop = 0
      return document.querySelector('#chat-log .turn').getBoundingClientRect().top
    })
    await page.waitForFunction(at => document.querySelector('#chat-log .turn').textContent.includes(`turn ${at}`), expected)
    // The turn at the top has not moved.
    const now = await page.evaluate(
      at =>
        [...document.querySelectorAll('#chat-log .turn')]
          .find(one => one.textContent.includes(`turn ${at}`))
          .getBoundingClientRect().top,
      left,
    )
    assert.ok(Math.abs(now - top) < 2, `turn ${left} is at ${now}, was at ${top}`)
  }
  assert.deepEqual(
    await shown(),
    Array.from({ length: 350 }, (_, at) => `turn ${at}`),
  )
  assert.equal(await page.locator('#chat-log .earlier').isVisible(), false)
  await page.evaluate(() => {
    heed.conversation.say('turn 350', heed.conversation.last)
  })
  assert.equal((await shown()).at(-1), 'turn 350')
  assertCalm(page)
  await page.close()
})

test('a conversation of 30,000 turns is shown as a short one is', async () => {
  const page = await browser.open(chatLink(Array.from({ length: 30_000 }, (_, at) => turn(at, 'x'))))
  await page.waitForFunction(() => document.querySelectorAll('#chat-log .turn').length === 100)
  assert.equal(await page.evaluate(() => heed.conversation.path.value.length), 30_000)
  await page.close()
})

test('a prompt of 60,000 letters without a space: its beginning as tokens, the rest as text', async () => {
  const page = await openPage(browser, `${site.url}#prompt=${'a'.repeat(60_000)}`)
  await page.waitForFunction(() => everywhere('.token').length > 0, undefined, { timeout: 0 })
  // The tokens that fit in the context.
  assert.deepEqual(
    await page.evaluate(() => [
      everywhere('.token').length,
      heed.viewer.passage.prompt.length,
      [...everywhere('.token, .typed')]
        .map(one => one.textContent)
        .join('')
        .replace(/^<[^>]*>/, '').length,
    ]),
    [1024, 60_000, 60_000],
  )
  await page.close()
})

test('Markdown whose lexer takes long is shown as it is, and what came before it as Markdown', async () => {
  const page = await browser.open('about:blank')
  const [calm, slow, long, real] = await page.evaluate(
    async code => {
      const { GrowingMarkdown, Lexer } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
      let lexed = 0
      const show = (texts, slowFrom = 100_000) => {
        const place = document.createElement('div')
        const markdown = new GrowingMarkdown(place, text => {
          lexed += text.length
          // A stand-in for a lexer that is slow on a long row of this character.
          const until = performance.now() + (text.includes('@'.repeat(slowFrom)) ? text.length / 40 : 0)
          while (performance.now() < until) {
            /* busy */
          }
          return Lexer.lex(text, { gfm: true, breaks: true })
        })
        for (const text of texts) markdown.show(text)
        return [...place.children].map(({ tagName, className, textContent }) => [tagName, className, textContent.length])
      }
      const before = '# Title\n\n- one\n- two\n\n'
      const row = '@'.repeat(50_000)
      const calm = show([before + row])
      lexed = 0
      const slow = [show([before, `${before}${row.slice(0, 100)}`, `${before}${row}`, `${before}${row}\n\n# End`], 100), lexed]
      const long = show(['a\n\n'.repeat(20_000)]).slice(-2)
      const answer = `${before}\`\`\`js\n${'const answer = 42 // of many lines\n'.repeat(5000)}\`\`\`\n\nEnd.`
      return [calm, slow, long, show([answer])]
    },
    await pageModule(inRoot('bindings/elements/markdown/growing.ts'), 'marked'),
  )
  assert.deepEqual(
    calm.map(([tag]) => tag),
    ['H3', 'UL', 'P'],
  )
  assert.deepEqual(slow[0], [
    ['H3', '', 5],
    ['UL', '', 6],
    ['P', 'plain', 50_000 + '\n\n# End'.length],
  ])
  assert.ok(slow[1] < 40_000, `${slow[1]} characters were lexed`)
  assert.equal(long.at(-1)[1], 'plain')
  // The longest block that an answer has: a file of 175,000 characters.
  assert.deepEqual(
    real.map(([tag]) => tag),
    ['H3', 'UL', 'DIV', 'P'],
  )
  await page.close()
})

test('the waveform of a sound of many hours is drawn, and has no more bars than there is room for', async () => {
  const page = await browser.open('about:blank')
  const drawn = await page.evaluate(
    async code => {
      const { Waveform } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
      const waveform = new Waveform(
        () => {},
        () => {},
      )
      const levels = Array.from({ length: 5 * 3600 * 20 }, (_, at) => (at === 300_000 ? 1 : 0.1))
      return [levels, levels.slice(0, 3), []].map(levels => {
        waveform.show(levels)
        const bars = waveform.element.querySelector('path:not([class])').getAttribute('d').split('M').slice(1)
        const [highest] = bars.filter(bar => bar.endsWith(`,2.0v96.0`))
        return { bars: bars.length, highest, label: waveform.element.getAttribute('aria-label') }
      })
    },
    await pageModule(inRoot('web/speech/waveform.ts')),
  )
  assert.deepEqual(drawn, [
    { bars: 2000, highest: '299970,2.0v96.0', label: 'The sound, 18000.0 seconds' },
    { bars: 3, highest: '0.5,2.0v96.0', label: 'The sound, 0.1 seconds' },
    { bars: 0, highest: undefined, label: 'No sound yet' },
  ])
  await page.close()
})

test('all turns of a long conversation are printed', async () => {
  const page = await browser.open(chatLink(Array.from({ length: 250 }, (_, at) => turn(at, `turn ${at}`))))
  const count = () => page.evaluate(() => document.querySelectorAll('#chat-log .turn').length)
  await page.waitForFunction(() => document.querySelector('#chat-log .turn'))
  assert.equal(await count(), 100)
  const print = () => page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await print()
  assert.equal(await count(), 250)
  await page.reload()
  await page.waitForFunction(() => document.querySelectorAll('#chat-log .turn').length === 100)
  await page.click('#chat-new')
  await print()
  assert.equal(await count(), 0)
  assertCalm(page)
  await page.close()
})

test('sentences are read aloud one by one, in any language', async () => {
  const page = await browser.open('about:blank')
  const told = await page.evaluate(
    async code => {
      const { Announcer } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
      const place = document.createElement('div')
      const announcer = new Announcer(place)
      const read = (...texts) => {
        announcer.start()
        for (const text of texts) announcer.add(text)
        return [...place.children].map(({ textContent }) => textContent)
      }
      return [
        read('One. Two! 3.5 is', ' less.'),
        read('「狐', 'だ。', '」と言った。次', 'は'),
        read('他来了吗？！他', '来了。'),
        read('هل جاء؟ نعم۔ ثم'),
        read('वह आया। फिर'),
      ]
    },
    await pageModule(inRoot('web/writing/announcer.ts')),
  )
  assert.deepEqual(told, [['One.', 'Two!'], ['「狐だ。」', 'と言った。'], ['他来了吗？！'], ['هل جاء؟', 'نعم۔'], ['वह आया।']])
  await page.close()
})

test('names from others cannot change the direction of a sentence, and are shortened', async () => {
  const page = await openPage(browser, site.url)
  const name = `${'a'.repeat(3000)}\u202egnp.${'b'.repeat(3000)}.gguf`
  await page.evaluate(name => {
    location.hash = `#model=${encodeURIComponent(`https://example.com/${encodeURIComponent(name)}`)}&prompt=x`
  }, name)
  await page.waitForSelector('dialog.ask')
  const text = await page.textContent('dialog.ask p')
  assert.ok(text.length < 250 && /a{60}….*b\.gguf”/.test(text) && !text.includes('\u202e'), text)
  await page.close()
})
