// Layout: elements that belong together are visible together at every width, and nothing shifts while the page loads.
import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { after, test } from 'node:test'
import { openChat, say } from '../page/chatting.mjs'
import { goOn, openPage, prepared, resize, sample, visitPage, write } from '../page/page.mjs'

const { browser, site } = await visitPage({ worksOffline: true })

/** A proxy that delays the page's requests, the model's most, so that intermediate states are visible. */
const slow = createServer((asked, answer) => {
  const wait = /\.gguf$/.test(asked.url) ? 600 : /\.(js|wasm)$/.test(asked.url) ? 150 : 0
  setTimeout(
    () =>
      request(new URL(asked.url, site.url), { headers: asked.headers }, got => {
        answer.writeHead(got.statusCode, got.headers)
        got.pipe(answer)
      }).end(),
    wait,
  )
})
await new Promise(resolve => slow.listen(0, '127.0.0.1', resolve))
after(() => {
  slow.close()
  slow.closeAllConnections()
})

const box = (page, selector) =>
  page.evaluate(selector => {
    const { top, bottom, left, right } = everywhere(selector)[0].getBoundingClientRect()
    return { top: top + scrollY, bottom: bottom + scrollY, left, right }
  }, selector)

const continued = prepared(async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 390, height: 844 })
  await write(page)
  await page.locator('.token.written').nth(5).click()
  await goOn(page)
  return page
})

const short = prepared(async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 390, height: 844 })
  await sample(page, { seed: '7', maxTokens: '40' })
  await write(page)
  return page
})

const overview = prepared(async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 390, height: 844 })
  await write(page)
  await page.click('#overview summary')
  await page.waitForFunction(() => everywhere('#overview-maps input').length > 0)
  return page
})

for (const [width, height] of [
  [1280, 900],
  [820, 1180],
  [390, 844],
]) {
  test(`nothing shifts while the page loads in a window of ${width} pixels`, async () => {
    const page = await browser.context.newPage()
    await page.setViewportSize({ width, height })
    await page.addInitScript(() => {
      globalThis.shifts = []
      new PerformanceObserver(list => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
          if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)])
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`http://localhost:${slow.address().port}/`)
    await page.waitForFunction(() => globalThis.heed?.model && heed.viewer.token !== undefined && heed.attention) // the first example
    await page.waitForFunction(() => /without a network/.test(document.getElementById('offline').textContent))
    await page.evaluate(
      () =>
        new Promise(resolve => {
          requestAnimationFrame(() => setTimeout(resolve))
        }),
    )
    const shifts = await page.evaluate(() => globalThis.shifts)
    const total = shifts.reduce((sum, [value]) => sum + value, 0)
    assert.ok(total < 0.05, `${total}: ${JSON.stringify(shifts)}`)
    await page.close()
  })

  test(`the card of a token covers nothing in a window of ${width} pixels`, async () => {
    const page = await continued()
    await resize(page, width, height)
    const card = await box(page, '#card')
    for (const other of ['#heads', '#map', '#layer', '#passage', '#other', '#replay', '#compose', '#texts']) {
      const place = ['#compose', '#texts'].includes(other) ? await page.locator(other).boundingBox() : await box(page, other)
      const { top = place.y, bottom = place.y + place.height, left = place.x, right = place.x + place.width } = place
      const apart = card.bottom <= top || bottom <= card.top || card.right <= left || right <= card.left
      assert.ok(apart, `${other}: ${JSON.stringify([card, place])}`)
    }
  })
}

for (const [width, height] of [
  [1280, 900],
  [390, 844],
]) {
  test(`the card keeps its height, and nothing around it moves, in a window of ${width} pixels`, async () => {
    const page = await short()
    await resize(page, width, height)
    await page.locator('.token.written').nth(5).click()
    const places = async () => [await box(page, '#attention-title'), await box(page, '#passage')]
    const held = await places()
    await page.locator('.token.written').nth(5).click() // released: now only under the pointer
    assert.deepEqual(await places(), held)
  })
}

test('on a phone, the attention of an answer comes from below when it is asked for, and the answer stays in view', async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.check('#rooms [value=chat]')
  await say(page, 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?')
  for (const name of ['Show attention', 'Where did it find that?']) {
    await page.evaluate(() => scrollTo(0, 0))
    const opener = page.locator('#chat-log').getByText(name)
    await opener.click()
    await page.waitForFunction(() => heed.viewer.classList.contains('sheet') && heed.viewer.token !== undefined)
    await page.evaluate(() => Promise.all(heed.viewer.getAnimations().map(animation => animation.finished)))
    if (name !== 'Show attention')
      await page.waitForFunction(() => {
        const seen = [...(CSS.highlights.get('looked-4') ?? [])].map(range => range.getBoundingClientRect())
        const said = document.querySelector('.found').getBoundingClientRect()
        return seen.length === 1 && seen[0].top >= 0 && said.height > 0 && said.bottom <= heed.viewer.getBoundingClientRect().top
      })
    const { sheet, subject, said } = await page.evaluate(() =>
      Object.fromEntries(
        Object.entries({
          sheet: heed.viewer,
          subject: everywhere('.subject')[0],
          said: document.querySelector('.found:not(:empty)') ?? document.querySelector('.answer'),
        }).map(([key, element]) => [key, element.getBoundingClientRect().toJSON()]),
      ),
    )
    assert.ok(sheet.top > 844 * 0.3 && sheet.bottom === 844, name)
    assert.ok(subject.top >= sheet.top && subject.bottom <= 844, `${name}: the token`)
    assert.ok(said.top >= 0 && said.bottom <= sheet.top, `${name}: ${JSON.stringify([said, sheet])}`)
    assert.equal(await page.evaluate(() => document.activeElement.id), 'sheet-close')
    if (name === 'Show attention') await page.keyboard.press('Escape')
    else await page.click('#sheet-close')
    assert.ok(await page.evaluate(() => !heed.viewer.classList.contains('sheet')))
    assert.equal(await page.evaluate(() => document.activeElement.textContent), name, 'the focus is back')
  }
  await page.close()
})

test('in one column, the attention of an answer comes into view when it is asked for, and its source stays in view', async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 820, height: 1180 })
  await page.check('#rooms [value=chat]')
  await say(page, 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?')
  await page.locator('#chat-log').getByText('Show attention').click()
  await page.waitForFunction(
    () => scrollY > 0 && heed.viewer.getBoundingClientRect().top < innerHeight / 2 && everywhere('.subject').length > 0,
  )
  const { top, bottom } = await page.evaluate(() => everywhere('.subject')[0].getBoundingClientRect())
  assert.ok(top >= 0 && bottom <= 1180)
  await page.evaluate(() => scrollTo(0, 0))
  await page.locator('#chat-log').getByText('Where did it find that?').click()
  await page.waitForFunction(() => CSS.highlights.get('looked-4')?.size > 0)
  assert.equal(await page.evaluate(() => scrollY), 0, 'the bubbles show it')
  await page.close()
})

test('a printed page shows the conversation and its attention, without controls', async () => {
  const page = await openPage(browser, site.url)
  await page.check('#rooms [value=chat]')
  await say(page, 'What can you do?')
  await page.emulateMedia({ media: 'print' })
  for (const id of ['chat-log', 'heat-map', 'passage']) assert.ok(await page.locator(`#${id}`).isVisible(), id)
  for (const id of ['chat-compose', 'rooms', 'other-models', 'save-map-png', 'card'])
    assert.ok(await page.locator(`#${id}`).isHidden(), id)
  await page.close()
})

for (const [width, height] of [
  [1100, 800],
  [1280, 800],
  [1920, 1080],
]) {
  test(`conversation, text with its card, and map are side by side and in view in a window of ${width} by ${height}`, async () => {
    const page = await openPage(browser, site.url)
    await page.setViewportSize({ width, height })
    await page.check('#rooms [value=chat]')
    await say(page, 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?')
    await page.locator('#chat-log').getByText('Where did it find that?').click()
    await page.locator('.found:not(:empty)').waitFor()
    const inChat = [
      ['#chat-log', '#message', '#send'],
      ['#passage', '#card'],
      ['#heads', '#heat-map'],
    ]
    const inText = [
      ['#prompt', '#write'],
      ['#passage', '#card'],
      ['#heads', '#heat-map'],
    ]
    for (const columns of [inChat, inText]) {
      if (columns === inText) {
        await page.check('#rooms [value=text]')
        await write(page)
        await page.locator('.token.written').nth(3).click()
      }
      let left = 0
      for (const column of columns) {
        const boxes = await Promise.all(column.map(selector => box(page, selector)))
        boxes.forEach(({ top, bottom }, at) => assert.ok(top >= 0 && bottom <= height, `${column[at]}: ${top} to ${bottom}`))
        const [from, to] = [Math.min(...boxes.map(each => each.left)), Math.max(...boxes.map(each => each.right))]
        assert.ok(from >= left && to <= width, `${column}: ${from} to ${to}, after ${left}`)
        left = to
      }
      assert.equal(await page.evaluate(() => scrollY), 0)
    }
    await page.close()
  })
}

for (const [width, height] of [
  [1280, 800],
  [390, 844],
]) {
  test(`the map stays in view while heads are chosen in the overview, in a window of ${width} by ${height}`, async () => {
    const page = await overview()
    await resize(page, width, height)
    const last = page.locator('#overview-maps label').last()
    const seen = async () => {
      const { top, bottom } = await page.evaluate(() => everywhere('#heat-map')[0].getBoundingClientRect().toJSON())
      return assert.ok(top >= -1 && bottom <= height, `${top} to ${bottom}`)
    }
    await last.scrollIntoViewIfNeeded()
    await last.click()
    await page.evaluate(() => heed.viewer.settled())
    await seen()
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
    await page.evaluate(() => heed.viewer.settled())
    await seen()
  })
}

test('on a phone the map is not far down the page, before and after a text is generated', async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok((await box(page, '#heat-map')).top < 950)
  await sample(page, { seed: '7' })
  await write(page)
  assert.ok((await page.evaluate(() => globalThis.heed.passage.written.length)) > 60, 'a long text')
  const { top } = await box(page, '#heat-map')
  assert.ok(top < 1200, `${top} pixels`)
  await page.close()
})

for (const [width, height] of [
  [1280, 900],
  [390, 844],
]) {
  test(`an answer grows without moving anything in a window of ${width} pixels`, async () => {
    const sentence = 'Some words of an answer that is long enough to fill more than the room that there is for it.'
    const paragraphs = Array.from({ length: 14 }, (_, at) => `${at}. ${sentence}`).join('\n\n')
    const page = await openChat(browser, site.url, [`<think>\n${sentence}\n</think>\n\n${paragraphs}`, 'Short.'], { context: 4096 })
    await page.setViewportSize({ width, height })
    await sample(page, { maxTokens: '4000' })
    const places = () =>
      page.evaluate(() =>
        ['#chat-bar, .chat-bar', '#chat-log', '#message', '#send, #chat-stop', '#rooms', '#attention-title'].map(selector =>
          everywhere(selector)
            .map(element => Math.round(element.getBoundingClientRect().top + scrollY))
            .find(top => top > 0),
        ),
      )
    const before = (await places()).slice(0, 5)
    await page.evaluate(() => {
      globalThis.shifts = []
      new PerformanceObserver(list => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
          shifts.push([
            value,
            hadRecentInput,
            sources.map(({ node, previousRect, currentRect }) => [
              node?.id || node?.className || node?.nodeName,
              previousRect.y,
              currentRect.y,
            ]),
          ])
        }
      }).observe({ type: 'layout-shift' })
    })
    // Submits by script, because layout shifts after a key or a click do not count.
    await page.waitForTimeout(600)
    for (const text of ['One', 'Two']) {
      await page.evaluate(text => {
        const box = document.getElementById('message')
        box.value = text
        box.form.requestSubmit()
      }, text)
      await page.waitForFunction(() => heed.conversation.last.ending && heed.attention?.rows > 0)
    }
    await page.evaluate(
      () =>
        new Promise(resolve => {
          requestAnimationFrame(() => setTimeout(resolve))
        }),
    )
    assert.deepEqual((await places()).slice(0, 5), before)
    const shifts = (await page.evaluate(() => globalThis.shifts)).filter(([, byHand]) => !byHand)
    const total = shifts.reduce((sum, [value]) => sum + value, 0)
    assert.ok(total < 0.05, `${total}: ${JSON.stringify(shifts)}`)
    const end = await page.evaluate(() => {
      const { scrollTop, scrollHeight, clientHeight } = document.getElementById('chat-log')
      return scrollHeight - scrollTop - clientHeight
    })
    assert.ok(end < 2, 'the end is in sight')
    await page.close()
  })
}

// The event of the second comes after the answer's last paint.
for (const moment of ['while it grows', 'as it ends'])
  test(`a conversation scrolled back ${moment} stays there`, async () => {
    const long = Array.from({ length: 60 }, (_, at) => `Line ${at} of it.`).join('\n\n')
    const page = await openChat(browser, site.url, [long, long.replaceAll('Line', 'Row')], { context: 4096 })
    await sample(page, { maxTokens: '4000' })
    const ask = text =>
      page.evaluate(text => {
        const box = document.getElementById('message')
        box.value = text
        box.form.requestSubmit()
      }, text)
    await ask('One')
    await page.waitForFunction(() => heed.conversation.last.ending)
    await page.evaluate(moment => {
      const log = document.getElementById('chat-log')
      heed.conversation.path.watch(path => {
        const turn = path.at(-1)
        if (path.length !== 4 || turn.ending) return
        if (moment === 'while it grows')
          turn.changes.watch(count => {
            if (count === 3) log.scrollTop = 40
          })
        else {
          let ending
          Object.defineProperty(turn, 'ending', {
            get: () => ending,
            set(value) {
              ending = value
              log.scrollTop = 40
            },
          })
        }
      })
    }, moment)
    await ask('Two')
    await page.waitForFunction(() => heed.conversation.path.value.length === 4 && heed.conversation.last.ending)
    await page.evaluate(
      () =>
        new Promise(resolve => {
          requestAnimationFrame(() => setTimeout(resolve))
        }),
    )
    assert.ok((await page.evaluate(() => document.getElementById('chat-log').scrollTop)) < 60)
    await page.close()
  })
