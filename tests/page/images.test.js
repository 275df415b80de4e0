// Images in conversations, with our trained pair: opened in every way and asked about drawings; its words look at the things that
// they name.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { pngFrom } from '../support/image_files.mjs'
import { tilingProjectorFile } from '../support/projector_model.mjs'
import { answered, command, say } from './chatting.mjs'
import { assertCalm, chooseFiles, drop, dropAll, prepareTransfer, sample, visitPage } from './page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })

const tiny = name => readFileSync(inRoot('models/tiny', name))
const drawing = name => ({ name: `${name}.png`, bytes: tiny(`examples/${name}.png`), type: 'image/png' })
const pair = [
  { name: 'questions.gguf', bytes: tiny('heed-questions.gguf') },
  { name: 'projector.gguf', bytes: tiny('mmproj-heed-questions.gguf') },
]

const readsPictures = page => page.waitForFunction(() => globalThis.heed?.model?.info.acceptsImages)
const notice = page => page.evaluate(() => document.querySelector('.notice')?.innerText ?? '')

async function openBundled() {
  const page = await browser.open(site.url)
  await page.waitForFunction(() => globalThis.heed?.model)
  return page
}

/** Opens the page with the pair, in the chat, where answers are always the same. */
async function openPair() {
  const page = await openBundled()
  await dropAll(page, pair)
  await readsPictures(page)
  await sample(page, { temperature: '0' })
  return page
}

/** Waits until a message has this many images with known cost. */
const attached = (page, count) =>
  page.waitForFunction(count => {
    const costs = [...document.querySelectorAll('.attachments li span')].map(cost => cost.textContent)
    return costs.length === count && costs.every(cost => cost === '66 tokens')
  }, count)

/** Sends a message and waits until the viewer shows where the words of the answer looked. */
async function ask(page, text) {
  await say(page, text)
  await page.waitForFunction(() => heed.attention?.images.length > 0)
  return page.evaluate(() =>
    heed.conversation.last.pieces
      .map(piece => piece.text)
      .join('')
      .trim(),
  )
}

/** Drops a drawing and asks about it. */
async function askAbout(page, name, text) {
  const { name: file, bytes, type } = drawing(name)
  await drop(page, file, bytes, type)
  await attached(page, 1)
  return ask(page, text)
}

/** For a word of the answer: the share of its attention on patches with pixels of a color, and the number of these patches. */
const shareOn = (page, word, color) =>
  page.evaluate(
    ([word, color]) => {
      const { passage, attention, conversation } = heed
      const token = passage.promptTokens.length + passage.written.findIndex(({ text }) => text.trim() === word)
      const { first, weights } = attention.look('mean', token - 1)
      const {
        pixels: { width, data },
      } = conversation.path.value[0].pictures[0]
      const isColored = (x, y) => color.every((value, channel) => Math.abs(data[4 * (y * width + x) + channel] - value) < 40)
      let share = 0
      let patches = 0
      for (const { position, ...patch } of attention.images[0].patches) {
        let colored = 0
        for (let y = patch.y; y < patch.y + patch.height; y++)
          for (let x = patch.x; x < patch.x + patch.width; x++) colored += isColored(x, y)
        if (colored < 8) continue
        share += weights[position - first]
        patches++
      }
      return { share, patches }
    },
    [word, color],
  )

test('a drawing is one click away: the answer is right, and its color words looked at the things', async () => {
  const page = await openBundled()
  await page.click('.other-models summary')
  await page.locator('#tiny button', { hasText: 'heed-questions' }).click()
  await readsPictures(page)
  await sample(page, { temperature: '0' })
  await page.locator('.example-picture canvas').first().click()
  await attached(page, 1)
  assert.equal(await page.textContent('.attachments [role=status]'), '1 picture, 66 tokens of a context of 512.')
  assert.equal(await ask(page, 'Describe the picture.'), 'a red boat left of a pink house.')
  assert.equal(await page.evaluate(() => heed.viewer.layer), 2, 'the layer that has most to see')
  assert.ok(await page.locator('#chat .attachments').isHidden())
  assert.equal(await page.locator('.said-pictures canvas').getAttribute('aria-label'), 'boat-and-house.png, 192 × 192 pixels')
  for (const [word, color] of [
    ['red', [222, 53, 29]],
    ['pink', [255, 130, 190]],
  ]) {
    const { share, patches } = await shareOn(page, word, color)
    assert.ok(patches > 2 && patches < 20, `${patches} patches are ${word}`)
    assert.ok(share > 0.7, `“${word}”: ${share} of its attention is on what is ${word}`)
  }
  assert.equal(await page.locator('.looks-words li').count(), 9)
  assertCalm(page)
  await page.close()
})

test('the words of an answer are reached with the keyboard, and announced', async () => {
  const page = await openPair()
  await askAbout(page, 'boat-and-house', 'Describe the picture.')
  await page.fill('#layer', '2')
  await page.waitForFunction(() => heed.attention.layer === 2)
  const sentence = () => page.textContent('#looks-sentence')
  assert.match(await sentence(), /^Select a word/)
  await page.locator('.looks-words button').first().focus()
  await page.keyboard.press('ArrowRight')
  assert.match(
    await sentence(),
    /^“red” looks most at the (lower left|left|bottom) of the picture: [\d.]+ % of its attention is in the picture\.$/,
  )
  assert.ok((await page.textContent('#speech')).startsWith(await sentence()))
  assert.equal(await page.evaluate(() => heed.viewer.token), await page.evaluate(() => heed.passage.promptTokens.length + 1))
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
  assert.match(await sentence(), /^“pink” looks most at the (right|middle|lower right) of the picture/)
  assert.equal(await page.locator('.looks-words [tabindex="0"]').count(), 1, 'one stop for Tab')
  assert.match(await page.textContent('#card-attended'), /(right|middle) of the picture/)
  await page.keyboard.press('Escape')
  assert.match(await sentence(), /^Select a word/)
  const told = await page.locator('.looks-words button').evaluateAll(buttons => buttons.map(button => button.ariaLabel))
  assert.ok(
    told.every(label => /picture/.test(label)),
    told.join('\n'),
  )
  assertCalm(page)
  await page.close()
})

test('an image in tiles is drawn twice: as outlined tiles, and as a whole', async () => {
  const page = await openBundled()
  const width = await page.evaluate(() => heed.model.info.width)
  await dropAll(page, [
    { name: 'stories.gguf', bytes: readFileSync(inRoot('models/heed-stories.gguf')) },
    { name: 'mmproj-tiles.gguf', bytes: tilingProjectorFile(width) },
  ])
  await readsPictures(page)
  await sample(page, { temperature: '0' })
  const [columns, lines] = [4, 3]
  const black = { width: 64, height: 48, data: Uint8Array.from({ length: 64 * 48 * 4 }, (_, at) => (at % 4 === 3 ? 255 : 0)) }
  await drop(page, 'black.png', pngFrom(black), 'image/png')
  await page.waitForFunction(() => /^\d+ tokens$/.test(document.querySelector('.attachments li span')?.textContent))
  await ask(page, 'What is this?')
  const tiles = await page.evaluate(() => {
    const all = new Map()
    for (const { tile, overview, x, y, width, height } of heed.attention.images[0].patches) {
      const { left = x, top = y, right = 0, bottom = 0 } = all.get(tile) ?? {}
      all.set(tile, {
        overview,
        left: Math.min(left, x),
        top: Math.min(top, y),
        right: Math.max(right, x + width),
        bottom: Math.max(bottom, y + height),
      })
    }
    return [...all.values()]
  })
  assert.deepEqual(
    tiles.filter(({ overview }) => !overview).map(({ left, top, right, bottom }) => [left, top, right, bottom]),
    Array.from({ length: lines * columns }, (_, at) => [at % columns, Math.floor(at / columns)]).map(([x, y]) => [
      16 * x,
      16 * y,
      16 * x + 16,
      16 * y + 16,
    ]),
  )
  assert.deepEqual(await page.locator('.looks-large figcaption').allTextContents(), [
    'The picture, in tiles',
    'The picture, as a whole',
  ])
  assert.deepEqual(await page.locator('.looks-large canvas').evaluateAll(all => all.map(one => one.ariaLabel)), [
    'The picture, in tiles',
    'The picture, as a whole',
  ])

  /**
   * The brightness of the large images along a line at a third of the height, at shares of the width; and down a line, likewise.
   */
  const brightness = () =>
    page.locator('.looks-large canvas').evaluateAll(
      (canvases, [columns, lines]) =>
        canvases.map(canvas => {
          const context = canvas.getContext('2d')
          const most = (x, y, width, height) =>
            Math.max(...context.getImageData(x, y, width, height).data.filter((_, at) => at % 4 === 0))
          const inside = (count, size) =>
            Array.from({ length: 2 * count - 1 }, (_, at) => Math.round(((at + 1) * size) / 2 / count) - 2)
          const [across, down] = [Math.round(canvas.width / columns / 4), Math.round(canvas.height / lines / 4)]
          return [
            inside(columns, canvas.width).map(x => most(x, down, 4, 1)),
            inside(lines, canvas.height).map(y => most(across, y, 1, 4)),
          ]
        }),
      [columns, lines],
    )
  const [cut, whole] = await brightness()
  cut.forEach(line =>
    line.forEach((value, at) => assert.ok(at % 2 === 0 ? value === 0 : value > 100, `between tiles: ${JSON.stringify(cut)}`)),
  )
  assert.ok(
    whole.flat().every(value => value === 0),
    `not of the overview: ${JSON.stringify(whole)}`,
  )

  await page.locator('.looks-words button').first().focus()
  await page.keyboard.press('ArrowRight')
  const painted = await page.locator('.looks-large canvas').evaluateAll(all =>
    all.map(
      one =>
        one
          .getContext('2d')
          .getImageData(0, 0, one.width, one.height)
          .data.filter((value, at) => at % 4 < 3 && value > 0).length,
    ),
  )
  assert.ok(
    painted.every(count => count > 1000),
    `the patches of both are shaded: ${painted}`,
  )
  assertCalm(page)
  await page.close()
})

test('layers and heads change what is shown, which is saved as CSV and PNG', async () => {
  const page = await openPair()
  await askAbout(page, 'boat-and-house', 'What is on the left?')
  const saved = async button => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)])
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
  }
  await page.fill('#layer', '2')
  await page.waitForFunction(() => heed.attention.layer === 2)
  const mean = await saved('#looks-csv')
  assert.equal(mean.name, 'looks-layer-3-mean.csv')
  await page.check('input[name=head][value="1"]', { force: true })
  const second = await saved('#looks-csv')
  assert.equal(second.name, 'looks-layer-3-head-2.csv')
  assert.notDeepEqual(mean.bytes, second.bytes)
  const [header, ...lines] = second.bytes.toString().trim().split('\r\n')
  assert.equal(header, 'token,text,picture,tile,overview,x,y,width,height,weight')
  assert.equal(lines.length, 64 * (await page.evaluate(() => heed.passage.written.length)))
  const expected = await page.evaluate(() => {
    const first = heed.passage.promptTokens.length
    const { first: from, weights } = heed.attention.look(1, first)
    return heed.attention.images[0].patches.map(({ position }) => weights[position - from])
  })
  const found = lines.slice(64, 128).map(line => Number(line.split(',').at(-1)))
  assert.deepEqual(found, expected, 'the row of the word before is the one that the second word was chosen from')
  const { name, bytes } = await saved('#looks-png')
  assert.equal(name, 'looks-layer-3-head-2.png')
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG')
  assertCalm(page)
  await page.close()
})

test('views of tokens alone are not offered for images, and rollout hides the places looked at', async () => {
  const page = await openPair()
  const onlyTokens = ['lens', 'edits', 'attribution', 'inside-weight', 'drawing-lots']
  await page.evaluate(() => {
    for (const id of ['lens', 'edits', 'attribution']) document.getElementById(id).open = true
  })
  await askAbout(page, 'boat-and-house', 'What is on the left?')
  for (const id of onlyTokens) await page.locator(`#${id}`).waitFor({ state: 'hidden' })
  assert.ok(await page.locator('[name=measure][value=values]').isDisabled())
  await page.locator('[name=measure][value=rollout]').check()
  await page.locator('#looks').waitFor({ state: 'hidden' })
  await page.locator('[name=measure][value=weights]').check()
  await page.locator('#looks').waitFor()
  assertCalm(page)
  await page.close()
})

test('pictures are chosen, pasted and removed, several for a message, without a mouse', async () => {
  const page = await openPair()
  const [boat, tree] = [drawing('boat-and-house'), drawing('tree-and-car')]
  await chooseFiles(page, '#attach-file', [boat, tree])
  await attached(page, 2)
  assert.equal(await page.textContent('.attachments [role=status]'), '2 pictures, 132 tokens of a context of 512.')
  await prepareTransfer(page, [drawing('moon-house-tree')])
  await page.evaluate(() =>
    document
      .getElementById('message')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: globalThis.transfer, bubbles: true, cancelable: true })),
  )
  await attached(page, 3)
  await page.focus('.attachments li button')
  await page.keyboard.press('Enter')
  await attached(page, 2)
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Remove tree-and-car.png')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  assert.ok(await page.locator('#chat .attachments').isHidden())
  assert.equal(await page.evaluate(() => document.activeElement.id), 'message')
  await drop(page, 'notes.png', Buffer.from('no picture'), 'image/png')
  await page.waitForSelector('.notice')
  assert.equal((await notice(page)).split('\n')[0], '“notes.png” is not a picture that this browser can read.')
  await dropAll(page, [boat, tree])
  await attached(page, 2)
  await ask(page, 'What is on the left?')
  assert.equal(await page.evaluate(() => heed.attention.images.length), 2)
  assert.equal(
    await page
      .locator('.looks-large figcaption')
      .allTextContents()
      .then(names => names.join()),
    'Picture 1,Picture 2',
  )
  assertCalm(page)
  await page.close()
})

test('a message that is sent while its picture is read waits for it', async () => {
  const page = await openPair()
  await prepareTransfer(page, [drawing('boat-and-house')])
  await page.evaluate(() => {
    const box = document.getElementById('message')
    box.value = 'What is on the left?'
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: globalThis.transfer, bubbles: true, cancelable: true }))
    box.form.requestSubmit()
  })
  await page.waitForFunction(() => heed.conversation.path.value.length === 2)
  assert.equal(await page.evaluate(() => heed.conversation.path.value[0].pictures.length), 1)
  assert.ok(await page.locator('#chat .attachments').isHidden())
  await answered(page)
  await page.close()
})

test('an edited message, another answer and a branch keep the picture; so do a file and the way back', async () => {
  const page = await openPair()
  const first = await askAbout(page, 'boat-and-house', 'What is on the left?')
  assert.equal(first, 'a red boat.')
  await page.getByRole('button', { name: 'Edit this message' }).click()
  await page.fill('.edit textarea', 'What is on the right?')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.conversation.path.value[0].text === 'What is on the right?')
  await answered(page)
  assert.equal(await page.locator('.said-pictures canvas:visible').count(), 1)
  assert.match(await page.innerText('.answer'), /a pink house\./)
  await page.getByRole('button', { name: 'Regenerate this answer' }).click()
  await page.waitForFunction(() => heed.conversation.path.value[0].after.length === 2)
  await answered(page)
  assert.match(await page.innerText('.answer'), /a pink house\./)

  const [download] = await Promise.all([page.waitForEvent('download'), command(page, '#chat-export')])
  const bytes = readFileSync(await download.path())
  const { messages } = JSON.parse(bytes)
  assert.deepEqual(
    messages[0].content.map(({ type }) => type),
    ['image_url', 'text'],
  )
  const pixels = () =>
    page.evaluate(() => {
      const { width, height, data } = heed.conversation.path.value[0].pictures[0].pixels
      return [width, height, ...data.slice(0, 4000)].join()
    })
  const before = await pixels()
  await command(page, '#chat-new')
  await drop(page, 'mine.json', bytes, 'application/json')
  await page.waitForFunction(() => heed.conversation.path.value.length === 2)
  assert.equal(await pixels(), before, 'the same picture')
  await answered(page)
  await page.waitForFunction(() => heed.attention?.images.length === 1)
  assert.match(await ask(page, 'How many things are there?'), /two/)

  await command(page, '#chat-link')
  await page.waitForFunction(
    () =>
      /copied/.test(document.getElementById('chat-note').textContent) ||
      /local/.test(document.getElementById('chat-note').textContent),
  )
  assert.match(await page.textContent('#chat-note'), /A link cannot include a local model file/)
  assertCalm(page)
  await page.close()
})

test('a link names both files of a pair, and says that pictures are not in it', async () => {
  const page = await openBundled()
  await page.click('.other-models summary')
  await page.locator('#tiny button', { hasText: 'heed-questions' }).click()
  await readsPictures(page)
  await sample(page, { temperature: '0' })
  await askAbout(page, 'boat-and-house', 'What is on the left?')
  await command(page, '#chat-link')
  await page.waitForFunction(() => /copied/.test(document.getElementById('chat-note').textContent))
  assert.equal(
    await page.textContent('#chat-note'),
    'Link copied. The pictures are not in it: export the conversation to keep them.',
  )
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const parts = new URLSearchParams(new URL(link).hash.slice(1))
  assert.deepEqual(
    ['model', 'projector'].map(name => parts.get(name).split('/').at(-1)),
    ['heed-questions.gguf', 'mmproj-heed-questions.gguf'],
  )
  const other = await browser.open(link)
  await readsPictures(other)
  await other.waitForFunction(() => heed.conversation.path.value.length === 2)
  assert.equal(await other.evaluate(() => heed.conversation.path.value[0].text), 'What is on the left?')
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('a projector joins the text model that is open, and one that does not fit changes nothing', async () => {
  const page = await openBundled()
  const [model, projector] = pair
  const { name } = await page.evaluate(() => heed.model.info)
  await dropAll(page, [projector])
  await page.waitForSelector('.notice')
  assert.match(
    await notice(page),
    /^“projector\.gguf” is no projector for the bundled model \(.*makes rows of 64 numbers, but the model reads \d+\): open it together with its own text model\./,
  )
  assert.equal(await page.evaluate(() => heed.model.info.name), name)
  await dropAll(page, [projector, { ...projector, name: 'mmproj-other.gguf' }])
  await page.waitForFunction(() => /several projectors/.test(document.getElementById('notices').textContent))
  await dropAll(page, [model])
  await page.waitForFunction(() => heed.model.info.name === 'heed-questions')
  assert.equal(await page.evaluate(() => heed.model.info.acceptsImages), false)
  assert.ok(await page.locator('#attach').isHidden())
  const { name: file, bytes, type } = drawing('boat-and-house')
  await drop(page, file, bytes, type)
  assert.match(
    await notice(page),
    /^“boat-and-house\.png” is a picture, but this model reads only text: open one that reads pictures/,
  )
  await chooseFiles(page, '#file', [projector])
  await readsPictures(page)
  assert.equal((await notice(page)).trim(), '')
  await drop(page, file, bytes, type)
  await attached(page, 1)
  assertCalm(page)
  await page.close()
})

test('a conversation continues with a model that reads no images, and a note says so', async () => {
  const page = await openPair()
  await askAbout(page, 'boat-and-house', 'What is on the left?')
  await dropAll(page, [pair[0]])
  await page.waitForFunction(() => !heed.model.info.acceptsImages)
  await say(page, 'What is on the right?')
  assert.match(
    await page.textContent('#chat-note'),
    /^This model reads no pictures: it gets the conversation without its 1 picture\./,
  )
  assert.ok(await page.locator('#looks').isHidden())
  assertCalm(page)
  await page.close()
})

test('images of a file that are elsewhere or damaged are left out, and a note says so', async () => {
  const page = await openPair()
  const url = `data:image/png;base64,${drawing('boat-and-house').bytes.toString('base64')}`
  const content = [url, 'https://example.com/fox.png', `${url.slice(0, 60)}AAAA`].map(url => ({
    type: 'image_url',
    image_url: { url },
  }))
  const messages = [{ role: 'user', content: [...content, { type: 'text', text: 'What is on the left?' }] }]
  await drop(page, 'other.json', Buffer.from(JSON.stringify(messages)), 'application/json')
  await page.waitForFunction(() => heed.conversation.path.value.length === 1)
  assert.match(
    await page.textContent('#chat-note'),
    /^“other\.json” is loaded, without 2 pictures that it does not contain or that cannot be read\./,
  )
  await page.getByRole('button', { name: 'Get an answer' }).click()
  await page.waitForFunction(() => heed.attention?.images.length === 1)
  assert.equal((await page.innerText('.answer')).trim(), 'a red boat.')
  assert.ok(
    await page.evaluate(() => {
      const [asked, answer] = heed.conversation.path.value
      return answer.steps[0].prompt.some(part => part.image === asked.pictures[0].pixels)
    }),
    'the answer has no copy of the picture',
  )
  assertCalm(page)
  await page.close()
})

test('a large picture is shrunk once, and Stop ends the answer about it', async () => {
  const page = await openPair()
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(3000, 1500)
    const context = canvas.getContext('2d')
    context.fillStyle = 'teal'
    context.fillRect(0, 0, 3000, 1500)
    const file = await canvas.convertToBlob({ type: 'image/jpeg' })
    return [...new Uint8Array(await file.arrayBuffer())]
  })
  await drop(page, 'large.jpg', Buffer.from(bytes), 'image/jpeg')
  await attached(page, 1)
  assert.match(await page.locator('.attachments canvas').getAttribute('aria-label'), /^large\.jpg, 2048 × 1024 pixels$/)
  await page.evaluate(() => {
    heed.conversation.path.watch(path => {
      const turn = path.at(-1)
      if (turn?.role === 'assistant' && !turn.ending) queueMicrotask(() => document.getElementById('chat-stop').click())
    })
  })
  await page.fill('#message', 'Describe the picture.')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.conversation.last?.ending)
  assert.equal(await page.evaluate(() => heed.conversation.last.ending.reason), 'abort')
  assertCalm(page)
  await page.close()
})
