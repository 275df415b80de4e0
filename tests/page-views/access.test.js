// The page's accessibility: keyboard use, names, narrow windows, contrast, and reduced motion.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command, openChat, say } from '../page/chatting.mjs'
import { assertCalm, goOn, openPage, prepared, resize, sample, visitPage, write, written } from '../page/page.mjs'

const { browser, site } = await visitPage()

/** Presses Tab until an element that matches has the focus, which must be visible at each stop on the way. */
async function tabTo(page, selector) {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab')
    const { found, visible } = await page.evaluate(wanted => {
      const focused = document.activeElement.shadowRoot?.activeElement ?? document.activeElement
      const shown = focused.closest('.thumbnails label, .overview-maps label') ?? focused
      return { found: focused.matches(wanted), visible: getComputedStyle(shown).outlineStyle !== 'none' }
    }, selector)
    assert.ok(visible, `the focus is visible at stop ${step} on the way to ${selector}`)
    if (found) return
  }
  assert.fail(`no ${selector} in the order of Tab`)
}

const openAll = () => {
  for (const details of everywhere('details')) details.open = true
}

const cardTitle = page => page.textContent('#card-attended h3')

test('everything works with the keyboard alone', async () => {
  const page = await openPage(browser, site.url)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter') // the skip link
  assert.equal(await page.evaluate(() => document.activeElement.id), 'prompt')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Write a story about a whale and a bell.')
  await page.keyboard.press('Enter')
  await written(page)

  await tabTo(page, '#passage')
  const active = () => page.getAttribute('#passage', 'aria-activedescendant')
  const last = (await page.locator('.token').count()) - 1
  assert.equal(await active(), `token-${last}`)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  assert.equal(await active(), 'token-1')
  assert.match(await cardTitle(page), /looks at$/)
  assert.match(await page.textContent('#speech'), /looks at .* %/)
  await page.keyboard.press('ArrowDown')
  const [first, below] = await page
    .locator('#token-1, .subject')
    .evaluateAll(tokens => tokens.map(token => token.getBoundingClientRect().top))
  assert.ok(below > first, 'the line below')
  await page.keyboard.press('Escape')
  assert.equal(await active(), null)

  await tabTo(page, '#layer')
  await page.keyboard.press('Home')
  await page.waitForFunction(() => globalThis.heed.attention.layer === 0)
  await tabTo(page, 'input[name=head]')
  await page.keyboard.press('ArrowRight')
  assert.ok(await page.isChecked('input[name=head][value="0"]'))
  await tabTo(page, '#heat-map')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  assert.match(await page.textContent('#speech'), /^“.*” to “.*”: .* %$/)
  assertCalm(page)
  await page.close()
})

test('a second text, switching to the first, continuing from a token and comparing, with the keyboard alone', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '24' })
  await page.focus('#prompt')
  await page.keyboard.press('Enter')
  await written(page)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Write a story about a whale and a bell.')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.versions.list.value.length === 2)
  await written(page)
  await tabTo(page, '#versions button')
  await page.keyboard.press('Enter')
  assert.match(await page.textContent('#versions [aria-current]'), /^Text 1/)
  await written(page)
  await tabTo(page, '#passage')
  await page.keyboard.press('ArrowLeft')
  await tabTo(page, '#go-on')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.versions.list.value.length === 3)
  await written(page)
  assert.equal(await page.evaluate(() => document.activeElement.id), 'go-on', 'the focus stays')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.versions.list.value.length === 4)
  await written(page)
  assert.match(await page.textContent('#versions [aria-current]'), /^Text 4/)
  assert.equal(await page.getAttribute('#versions [aria-current]', 'title'), 'continues Text 3')
  await page.focus('#prompt')
  await tabTo(page, '#beside')
  await tabTo(page, '#other')
  await page.keyboard.press('Enter')
  assert.match(await page.textContent('#versions [aria-current]'), /^Text 3/)
  assert.match(await page.textContent('#speech'), /chosen from/)
  assertCalm(page)
  await page.close()
})

test('settings and other models are in the tab order and have names', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '24' })
  await write(page)
  await page.click('.token.written')
  await goOn(page)
  await page.evaluate(openAll)
  await page.focus('#skip')
  const stops = ['#pick', '#url', '#catalogue button', '#prompt', '#write', '#temperature', '#seed', '#versions button', '#beside']
  for (const selector of stops) await tabTo(page, selector)
  const unnamed = await page.evaluate(() => {
    const named = ({ labels, ariaLabel, textContent }) => labels?.length > 0 || ariaLabel || textContent.trim() !== ''
    return everywhere('input, textarea, select, button, canvas[tabindex], [role]:not([role=status]), section, ol[aria-label]')
      .filter(element => !element.closest('[hidden], [role=presentation]') && !named(element))
      .map(element => element.outerHTML)
  })
  assert.deepEqual(unnamed, [])
  await page.close()
})

test('the focus stays where it was when generation begins and ends', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '40' })
  await page.focus('#write')
  await page.keyboard.press('Enter')
  await written(page)
  assert.equal(await page.evaluate(() => document.activeElement.id), 'write')
  await page.close()
})

const wholePage = prepared(async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.evaluate(openAll)
  await write(page, `Once upon a time, a fox found a ${'very'.repeat(40)} long word. The fox`)
  await page.click('.token.written')
  await goOn(page)
  return page
})

for (const [width, height] of [
  [360, 740],
  [768, 1024],
  [1280, 800],
]) {
  test(`nothing is wider than a window of ${width} pixels`, async () => {
    const page = await wholePage()
    await resize(page, width, height)
    const { wide, overflowing } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      overflowing: everywhere('body *, .viewer *')
        .filter(element => !element.closest('.visually-hidden, .overview-maps'))
        .filter(element => !element.parentElement.closest('.lens-frame')) // which scrolls
        .filter(element => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map(element => element.id || element.className || element.tagName),
    }))
    assert.ok(wide <= width, `${wide} pixels wide`)
    assert.deepEqual(overflowing, [])
  })
}

const call = '<tool_call>\n{"name": "roll_dice", "arguments": {"count": 2}}\n</tool_call>'
const rich =
  `<think>\nLet me see.\n</think>\n\n# Title\n\n${'verylong'.repeat(30)} \`${'code'.repeat(40)}\`\n\n` +
  `\`\`\`\n${'line '.repeat(60)}\n\`\`\`\n\n| ${'a '.repeat(30)} | b |\n|---|---|\n| ${'1 '.repeat(40)} | ${'2'.repeat(40)} |\n\n- [a link](https://example.org/${'x'.repeat(100)})\n\n${call}`

test('a chat with the keyboard alone: sending, looking at attention, editing, switching versions', async () => {
  const page = await openChat(browser, site.url, ['First.', 'Second.'])
  await page.focus('#skip')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'message')
  await page.keyboard.type('One')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.conversation.last?.ending && heed.attention)
  await page.focus('#skip')
  for (const selector of ['#rooms input', '#chat-new', '#tools-button', '#form-button', '#chat-more summary', '#chat-log']) {
    await tabTo(page, selector)
  }
  await tabTo(page, '[aria-label="Edit this message"]')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Other')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.conversation.path.value[0].text === 'Other' && heed.conversation.last.ending)
  await page.focus('#chat-log')
  await tabTo(page, '[aria-label="Previous version of this message"]')
  await page.keyboard.press('Enter')
  assert.equal(await page.textContent('.said'), 'One')
  await tabTo(page, '[aria-pressed]')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.viewer.token !== undefined)
  for (const selector of ['#message', '#send', '#passage', '#layer', '#heat-map']) await tabTo(page, selector)
  assertCalm(page)
  await page.close()
})

test('everything in a chat has a name', async () => {
  const page = await openChat(browser, site.url, [rich, 'Done.'], { context: 8192 })
  await sample(page, { maxTokens: '4000' })
  await page.click('#tools-button')
  await page.check('#tools-panel input')
  await say(page, 'Show')
  const unnamed = await page.evaluate(() => {
    for (const panel of document.querySelectorAll('.chat-panel, .chat form, #chat-stop, #think-choice')) panel.hidden = false
    const named = ({ labels, ariaLabel, textContent }) => labels?.length > 0 || ariaLabel || textContent.trim() !== ''
    return everywhere('#chat :is(input, textarea, select, button, [role], section, ol[tabindex], pre, details)')
      .filter(element => !element.closest('[hidden], [role=presentation], [role=status]') && !named(element))
      .map(element => element.outerHTML)
  })
  assert.deepEqual(unnamed, [])
  await page.close()
})

const richChat = prepared(async () => {
  const page = await openChat(browser, site.url, [rich, 'Done.'], { context: 8192 })
  await page.setViewportSize({ width: 360, height: 740 })
  await sample(page, { maxTokens: '4000' })
  await page.click('#tools-button')
  await page.check('#tools-panel input')
  await say(page, `A ${'very'.repeat(40)} long word`)
  await page.click('[aria-label="Edit this message"]')
  await command(page, '#raw-button')
  await page.evaluate(() => {
    for (const details of everywhere('details')) details.open = true
  })
  return page
})

for (const [width, height] of [
  [360, 740],
  [390, 844],
  [768, 1024],
  [1280, 800],
]) {
  test(`nothing in a chat is wider than a window of ${width} pixels`, async () => {
    const page = await richChat()
    await resize(page, width, height)
    const { wide, overflowing } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      overflowing: everywhere('#chat *, #rooms *')
        .filter(element => !element.closest('.visually-hidden, .code pre, .table'))
        .filter(element => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map(element => element.id || element.className || element.tagName),
    }))
    assert.ok(wide <= width, `${wide} pixels wide`)
    assert.deepEqual(overflowing, [])
  })
}

/** The contrast of two colors, as defined by WCAG 2. */
const contrast = (one, other) => {
  const luminance = color => {
    const [red, green, blue] = color
      .map(value => value / 255)
      .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const plainPage = prepared(() => openPage(browser, site.url))

for (const colorScheme of ['light', 'dark']) {
  test(`text has enough contrast: ${colorScheme}`, async () => {
    const page = await plainPage()
    await page.emulateMedia({ colorScheme })
    const { colors, strongest, mark } = await page.evaluate(() => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      globalThis.colorIn = name => {
        const probe = document.createElement('span')
        heed.viewer.shadowRoot.append(probe)
        probe.style.color = `var(${name})`
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }
      const paint = (...layers) => {
        for (const layer of layers) {
          context.fillStyle = layer
          context.fillRect(0, 0, 1, 1)
        }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
      }
      const value = name => {
        const probe = document.createElement('span')
        document.body.append(probe)
        probe.style.color = `var(--${name})`
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }
      const names = ['paper', 'sheet', 'ink', 'soft', 'accent', 'on-accent', 'alarm', 'alarm-paper', 'edge', 'focus']
      return {
        colors: Object.fromEntries(names.map(name => [name, paint(value(name))])),
        strongest: paint(value('paper'), globalThis.colorIn('--heed-glow')),
        mark: paint(value('sheet'), value('glow')),
      }
    })
    for (const [text, behind] of [
      ['ink', 'paper'],
      ['ink', 'sheet'],
      ['soft', 'paper'],
      ['soft', 'sheet'],
      ['paper', 'ink'],
      ['accent', 'paper'],
      ['on-accent', 'accent'],
      ['alarm', 'alarm-paper'],
    ]) {
      const ratio = contrast(colors[text], colors[behind])
      assert.ok(ratio >= 4.5, `${text} on ${behind}: ${ratio.toFixed(2)}`)
    }
    for (const line of ['edge', 'focus']) {
      const ratio = contrast(colors[line], colors.paper)
      assert.ok(ratio >= 3, `${line}: ${ratio.toFixed(2)}`)
    }
    assert.ok(contrast(colors.ink, strongest) >= 4.5, 'a token that is fully looked at')
    assert.ok(contrast(colors.ink, mark) >= 4.5, 'a control token in the raw prompt')
    assert.ok(contrast(colors.accent, colors.sheet) >= 4.5, 'what the model wrote there')
  })
}

test('nothing moves if the user prefers reduced motion', async () => {
  const page = await openPage(browser, site.url)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const [animation, transition] = await page.evaluate(() => {
    const [text] = everywhere('#passage')
    text.classList.add('writing')
    return [getComputedStyle(text, '::after').animationName, getComputedStyle(everywhere('.token')[0]).transitionDuration]
  })
  assert.equal(animation, 'none')
  assert.equal(transition, '0s')
  await page.close()
})
