// The parts of an answer on the page: safe Markdown, collapsible reasoning, and tool calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedModel, scriptedTemplate } from '../support/scripted_model.mjs'
import { bring, openChat, say, shown, takeTurns, whenWriting } from './chatting.mjs'
import { assertCalm, sample, visitPage } from './page.mjs'

const { browser, site } = await visitPage({ viewport: { width: 1280, height: 900 } })
const openInTurn = takeTurns(browser, site.url)
const call = (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const markdown = page => page.locator('#chat-log > :last-child .markdown').innerHTML()

/**
 * Shows a text as an answer that arrives in pieces of `step` characters, one per frame. Resolves to its HTML. Nothing is painted
 * meanwhile, and frames are replaced by tasks: painting the page hundreds of times would take most of the time.
 */
const grow = (page, text, step) =>
  page.evaluate(
    async ({ text, step }) => {
      const { style } = document.documentElement
      const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = globalThis
      style.display = 'none'
      globalThis.requestAnimationFrame = callback => setTimeout(() => callback(performance.now()))
      globalThis.cancelAnimationFrame = clearTimeout
      const turn = heed.conversation.answer(heed.conversation.say('Show'))
      const piece = { kind: 'text', text: '' }
      turn.pieces.push(piece)
      globalThis.kept = new Set()
      for (let at = 0; at < text.length; at += step) {
        piece.text = text.slice(0, at + step)
        turn.changes.value++
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
        const first = document.querySelector('#chat-log > :last-child .markdown > :first-child')
        if (first && at > text.length / 2) kept.add(first)
      }
      turn.ending = { reason: 'stop' }
      turn.changes.value++
      Object.assign(globalThis, { requestAnimationFrame: request, cancelAnimationFrame: cancel })
      style.display = ''
      return document.querySelector('#chat-log > :last-child .markdown').innerHTML
    },
    { text, step },
  )

test('renders Markdown', async () => {
  const page = await openInTurn([
    '# Title\n\nSome **bold**, *soft*, ~~gone~~ and `code`, AT&amp;T &copy.\n\n1. one\n2. two\n   - inner\n\n> quoted\n\n' +
      '| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nlet x = 1 < 2\n```\n\n- [x] done\n- [ ] open\n\n---\n\n[A link](https://example.org/a?b=1)',
  ])
  await say(page, 'Show')
  const html = await markdown(page)
  for (const part of [
    '<h3>Title</h3>',
    '<strong>bold</strong>',
    '<em>soft</em>',
    '<del>gone</del>',
    '<code>code</code>',
    'AT&amp;T &amp;copy.',
    '<ol start="1">',
    '<blockquote><p>quoted</p></blockquote>',
    '<td class="align-right">2</td>',
    'let x = 1 &lt; 2',
    'data-task="☑"',
    '<hr>',
    '<a href="https://example.org/a?b=1" target="_blank" rel="noopener noreferrer"',
  ]) {
    assert.ok(html.includes(part), `${part} in ${html}`)
  }
  assert.equal(await page.locator('.markdown li ul li').innerText(), 'inner')
  assertCalm(page)
  await page.close()
})

test('shows HTML, scripts and links that would run code as text, and fetches nothing', async () => {
  const harm = [
    '<script>window.harmed = 1</script>',
    '<img src=x onerror="window.harmed = 2">',
    'In line <b onclick="harmed=3">bold</b> <svg onload=harmed=4>',
    '[run](javascript:harmed=5)',
    '[run](JaVaScRiPt&colon;harmed=6)',
    '[run](data:text/html,<script>harmed=7</script>)',
    '![picture](https://example.org/spy.png)',
    '<iframe srcdoc="<script>parent.harmed=8</script>"></iframe>',
    '`<img src=x onerror=harmed=9>`',
    '```html"><img src=x onerror=harmed=10>\n<script>harmed=11</script>\n```',
    '| <img src=x onerror=harmed=12> |\n|---|\n| <style>*{display:none}</style> |',
    '&lt;img src=x onerror=harmed=13&gt;',
    '<a href="javascript:harmed=14">x</a>',
    '[a](<javascript:harmed=15>) [b](vbscript:x) [c](//example.org) <javascript:harmed=16>',
    '[ref]\n\n[ref]: javascript:harmed=17',
  ].join('\n\n')
  const page = await openInTurn([harm], { context: 4096 })
  await sample(page, { maxTokens: '2000' })
  const asked = []
  page.on('request', request => asked.push(request.url()))
  await say(page, `Mine, too: ${'<img src=x onerror="window.harmed=20"><script>harmed=21</script>'}`)
  await page.waitForTimeout(200)
  assert.equal(await page.evaluate(() => window.harmed), undefined)
  const found = await page.locator('#chat-log').evaluate(log => ({
    bad: log.querySelectorAll(
      'script, img, svg, iframe, style, object, embed, form:not(.edit), [onclick], [onerror], [onload], [srcdoc], [style]',
    ).length,
    links: [...log.querySelectorAll('a')].map(link => link.protocol),
  }))
  assert.equal(found.bad, 0)
  assert.deepEqual(
    found.links.filter(protocol => !['http:', 'https:', 'mailto:'].includes(protocol)),
    [],
  )
  assert.ok((await page.locator('.markdown').innerText()).includes('<script>window.harmed = 1</script>'))
  assert.match(await page.locator('.markdown a[href="https://example.org/spy.png"]').innerText(), /Picture: picture/)
  assert.deepEqual(
    asked.filter(url => !url.startsWith(site.url) && !url.startsWith('blob:')),
    [],
  )
  for (const link of await page.locator('#chat-log a').all()) assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
  assertCalm(page)
  await page.close()
})

test('renders a growing answer like a complete one, and does not replace finished blocks', async () => {
  const page = await openInTurn(['Fine.'])
  const text = [
    'A first paragraph\nof two lines.',
    '# A title',
    '- one\n- two\n\n  with a second paragraph\n  - inner\n- three',
    '1. first\n\n2. second\n3. third\n10. tenth',
    '> a quote\n> of two\n\nlazy',
    '```js\nconst a = 1\n\nconst b = 2\n```',
    '| a | b |\n|---|---|\n| 1 | **2** |\n| 3 | 4 |',
    'A title below\n===',
    '~~~\nopen code\n~~~',
    'Last, with **bold** and `code`.',
  ].join('\n\n')
  const whole = await grow(page, text, text.length)
  for (const step of [1, 2, 7, 31]) {
    assert.equal(await grow(page, text, step), whole, `in steps of ${step}`)
    if (step === 1) assert.equal(await page.evaluate(() => kept.size), 1, 'the first paragraph is the same element throughout')
  }
  // A long code block grows without being replaced.
  await grow(page, `\`\`\`\n${'x'.repeat(500)}\n\`\`\`\n`, 20)
  assert.equal(await page.evaluate(() => kept.size), 1)
  assertCalm(page)
  await page.close()
})

test('shows an answer that ends inside a code block, a list or an emphasis', async () => {
  const page = await openInTurn(['Fine.'])
  for (const [text, shown] of [
    ['```js\nlet', /<code>let<\/code>/],
    ['- one\n- tw', /<li>.*one.*<\/li><li>.*tw.*<\/li>/],
    ['Some **bo', /Some \*\*bo/],
  ]) {
    assert.match(await grow(page, text, 3), shown)
  }
  await page.close()
})

test('reasoning is open while it is generated, then collapses and shows its length', async () => {
  const page = await openInTurn(['<think>\nLet me see.\n</think>\n\nYes.'])
  await say(page, 'Well?')
  assert.match(await page.textContent('.reasoning summary'), /^Reasoned for [\d.]+ m?s, \d+ tokens$/)
  assert.equal((await page.textContent('.reasoning p')).trim(), 'Let me see.')
  assert.ok(await page.locator('.reasoning p').isHidden())
  assert.equal(await markdown(page), '<p>Yes.</p>')
  await page.click('.reasoning summary')
  assert.ok(await page.locator('.reasoning p').isVisible())
  // The same step by step, to check the state while it is generated.
  const states = await page.evaluate(async () => {
    const turn = heed.conversation.answer(heed.conversation.say('And?'))
    const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
    const piece = { kind: 'reasoning', text: 'Let me', tokens: 2, ms: 1500, done: false }
    const states = []
    const look = async () => {
      turn.changes.value++
      const deadline = performance.now() + 5000
      let details
      do {
        // after a slow paint, the page waits before the next
        await frame()
        details = document.querySelector('#chat-log > :last-child .reasoning')
      } while (details?.querySelector('p').textContent !== piece.text && performance.now() < deadline)
      states.push([details.open, details.querySelector('summary').textContent, details.querySelector('p').textContent])
    }
    turn.pieces.push(piece)
    await look()
    Object.assign(piece, { text: 'Let me see.', tokens: 4, done: true })
    turn.pieces.push({ kind: 'text', text: 'Yes.' })
    await look()
    turn.ending = { reason: 'stop' }
    await look()
    return states
  })
  assert.deepEqual(states, [
    [true, 'Reasoning…', 'Let me'],
    [false, 'Reasoned for 1.5 s, 4 tokens', 'Let me see.'],
    [false, 'Reasoned for 1.5 s, 4 tokens', 'Let me see.'],
  ])
  assertCalm(page)
  await page.close()
})

test('stopped reasoning collapses, too', async () => {
  const page = await openInTurn([`<think>\n${'Let me see. '.repeat(80)}\n</think>\n\nYes.`])
  await sample(page, { maxTokens: '2000' })
  await whenWriting(page, () => document.getElementById('chat-stop').click())
  await page.fill('#message', 'Well?')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => heed.conversation.last?.ending?.reason === 'abort')
  assert.match(await page.textContent('.reasoning summary'), /^Reasoned for/)
  assert.equal(await page.evaluate(() => document.querySelector('.reasoning').open), false)
  await page.close()
})

test('offers to turn reasoning on and off if the template supports it', async () => {
  const template = scriptedTemplate.replace(
    '{%- if add_generation_prompt %}',
    '{%- if add_generation_prompt %}{% if enable_thinking is defined %}THINK={{ enable_thinking }}\n{% endif %}',
  )
  const page = await openChat(browser, site.url, ['Yes.', 'No.', 'Well.'], { template })
  await page.waitForSelector('#think-choice:not([hidden])')
  for (const [choice, told] of [
    ['auto', /<\|im_end\|>\n<\|im_start\|>assistant/],
    ['on', /THINK=True/],
    ['off', /THINK=False/],
  ]) {
    await page.selectOption('#think', choice)
    await say(page, choice)
    assert.match(
      await page.evaluate(() => heed.model.detokenize(heed.conversation.last.steps[0].promptIds, { special: true })),
      told,
    )
  }
  await page.close()
  const plain = await openChat(browser, site.url, ['Yes.'])
  assert.ok(await plain.locator('#think-choice').isHidden())
  await plain.close()
})

test('tools are off by default; enabled ones are called, and shown with their results', async () => {
  const turns = [
    call('calculate', { expression: '(2 + 3) * 4^2' }),
    'It is 80.',
    call('calculate', { expression: '1 / (2' }),
    'Sorry.',
    'No tools.',
  ]
  const page = await openInTurn(turns)
  await page.click('#tools-button')
  const boxes = page.locator('#tools-panel input')
  assert.deepEqual(await boxes.evaluateAll(all => all.map(box => box.checked)), [false, false, false])
  await page.getByLabel('Calculate').check()
  await page.getByLabel('Roll dice').check()
  await say(page, 'How much?')
  const told = await page.evaluate(() => heed.model.detokenize(heed.conversation.last.steps[0].promptIds, { special: true }))
  assert.match(told, /"calculate".*/s)
  assert.match(told, /roll_dice/)
  assert.doesNotMatch(told, /current_time/)
  assert.match((await shown(page))[1], /^Tool calculate returned:\s+\{"expression":"\(2 \+ 3\) \* 4\^2"\}\s+80\s+It is 80\.$/)
  await say(page, 'And?')
  assert.match((await shown(page)).at(-1), /^Tool calculate failed:.*bracket is not closed.*Sorry\.$/s)
  for (const box of await boxes.all()) await box.uncheck()
  await say(page, 'And now?')
  assert.doesNotMatch(
    await page.evaluate(() => heed.model.detokenize(heed.conversation.last.steps[0].promptIds, { special: true })),
    /<tools>/,
  )
  assertCalm(page)
  await page.close()
})

test('a model that cannot call tools says so before it is tried', async () => {
  const page = await openChat(browser, site.url, ['Yes.'], {
    template: scriptedTemplate.replace(/\{%- if tools %\}[^]*?\{% endif %\}\n/, ''),
  })
  await page.click('#tools-button')
  await page.waitForFunction(() => document.getElementById('tools-verdict').textContent !== '')
  assert.match(await page.textContent('#tools-verdict'), /cannot call tools/)
  assert.ok(await page.locator('#tool-list input').first().isDisabled())
  await bring(page, scriptedModel(['Yes.']))
  await page.waitForFunction(() => document.getElementById('tools-verdict').textContent === '')
  assert.ok(await page.locator('#tool-list input').first().isEnabled())
  await page.close()
})

test('each tool works', async () => {
  const turns = [
    call('roll_dice', { count: 3, sides: 8 }),
    'Rolled.',
    call('current_time', { time_zone: 'Europe/Zurich' }),
    'Told.',
    call('roll_dice', { count: 1000 }),
    'No.',
    call('current_time', { time_zone: 'Nowhere/Land' }),
    'No.',
    call('current_time', { time_zone: 'São Paulo' }),
    'Told.',
    call('current_time', { time_zone: 'Asia/New_York' }),
    'Told.',
  ]
  const page = await openInTurn(turns, { context: 4096 })
  await page.click('#tools-button')
  for (const box of await page.locator('#tools-panel input').all()) await box.check()
  const results = []
  for (const text of ['Roll', 'Time', 'Many', 'Where', 'City', 'Continent']) {
    await say(page, text)
    results.push(await page.evaluate(() => heed.conversation.last.pieces.find(({ kind }) => kind === 'call').result))
  }
  const { rolls, total } = JSON.parse(results[0])
  assert.equal(rolls.length, 3)
  assert.ok(rolls.every(roll => Number.isInteger(roll) && roll >= 1 && roll <= 8))
  assert.equal(total, rolls[0] + rolls[1] + rolls[2])
  assert.equal(JSON.parse(results[1]).time_zone, 'Europe/Zurich')
  assert.match(results[2], /from 1 to 100/)
  assert.match(results[3], /error/)
  assert.deepEqual(
    results.slice(4).map(result => JSON.parse(result).time_zone),
    ['America/Sao_Paulo', 'America/New_York'],
  )
  await page.close()
})

test('tool calls match their parameters while they are written', async () => {
  const page = await openInTurn([call('roll_dice', { count: 'many', heads: 2 }), 'Rolled.'])
  await sample(page, { maxTokens: '40' })
  await page.click('#tools-button')
  await page.getByLabel('Roll dice').check()
  await say(page, 'Roll them.')
  const written = await page.evaluate(() => heed.conversation.last.steps[0].generation.text)
  assert.match(written, /"count":\s?-?\d/)
  assert.doesNotMatch(written, /heads/)
  await page.close()
})

test('an answer has the chosen format, and an unusable schema is explained', async () => {
  const page = await openChat(browser, site.url, ['Well.', 'Well, well.', 'Well, well, well.'])
  await sample(page, { maxTokens: '200' })
  await page.click('#form-button')
  const verdict = text => page.waitForFunction(text => document.getElementById('form-verdict').textContent.includes(text), text)
  assert.ok(await page.locator('#form-schema').isHidden())
  await page.selectOption('#form', { label: 'Yes or no' })
  await verdict('Answers will have this form')
  await say(page, 'Is it?')
  assert.match((await shown(page)).at(-1), /^"(yes|no)"$/)
  const steps = await page.evaluate(() => heed.conversation.last.steps)
  assert.ok(steps.at(-1).generation.tokens.every(({ allowed }) => allowed >= 1))
  await page.fill('#form-schema', '{"enum": [7]}')
  await verdict('Answers will have this form')
  assert.equal(await page.inputValue('#form'), 'own')
  assert.equal(await page.textContent('#form-button'), 'Format: JSON by your schema')
  await say(page, 'How much?')
  assert.equal((await shown(page)).at(-1), '7')
  await page.fill('#form-schema', '{"properties": {"a": {"type": "objet"}}}')
  await verdict('in “properties/a”, “type” must be one of')
  assert.equal(await page.getAttribute('#form-schema', 'aria-invalid'), 'true')
  await page.selectOption('#form', { label: 'Any text' })
  await verdict('')
  await say(page, 'And now?')
  assert.equal((await shown(page)).at(-1), 'Well, well, well.')
  assertCalm(page)
  await page.close()
})
