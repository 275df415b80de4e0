// A pair and a drawing are dropped, the answer about it is right, and its words looked at the things.
import assert from 'node:assert/strict'
import { defaultModelBytes } from '../../package/support.mjs'
import { projectorFile } from '../../support/projector_model.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel, sample, takeTiny } from '../page.mjs'

/** Drops files of the page's own folder. */
const dropFiles = (page, paths) =>
  page.evaluate(async paths => {
    const transfer = new DataTransfer()
    for (const path of paths) {
      const bytes = await (await fetch(`tiny/${path}`)).arrayBuffer()
      transfer.items.add(new File([bytes], path.split('/').at(-1), { type: path.endsWith('.png') ? 'image/png' : '' }))
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }, paths)

atBothWidths('a pair and a drawing are dropped, and where the words of the answer looked is shown', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  await dropFiles(page, ['examples/boat-and-house.png'])
  await page.waitForFunction(() => document.querySelector('.attachments li span')?.textContent === '66 tokens')
  await sample(page, { temperature: '0' })
  await page.fill('#message', 'Describe the picture.')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending)
  assert.equal(
    await page.evaluate(() =>
      globalThis.heed.conversation.last.pieces
        .map(piece => piece.text)
        .join('')
        .trim(),
    ),
    'a red boat left of a pink house.',
  )
  await page.waitForFunction(() => globalThis.heed.attention?.images.length > 0)
  const { sentences, colors } = await page.evaluate(async () => {
    const { heed } = globalThis
    heed.viewer.layer = 2
    await heed.viewer.settled()
    const { shadowRoot } = heed.viewer
    const first = heed.passage.promptTokens.length
    const sentences = ['red', 'pink'].map(word => {
      heed.viewer.token = first + heed.passage.written.findIndex(({ text }) => text.trim() === word)
      return shadowRoot.getElementById('looks-sentence').textContent
    })
    const canvas = shadowRoot.querySelector('.looks-large canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return { sentences, colors: new Set(data).size }
  })
  assert.match(sentences[0], /^“red” looks most at the (lower left|left|bottom) of the picture/)
  assert.match(sentences[1], /^“pink” looks most at the (right|middle|lower right) of the picture/)
  assert.ok(colors > 10, 'the picture is drawn')
  assertCalm(page)
})

const written = page =>
  page.waitForFunction(() => Boolean(globalThis.heed.versions.current?.outcome && globalThis.heed.attention?.images.length > 0))

/** The contents of the prompt, in order: texts and images. */
const kinds = page =>
  page.evaluate(() =>
    globalThis.heed.passage.parts.flatMap(part =>
      typeof part === 'string' ? [part.trim()] : 'image' in part ? ['a picture'] : [],
    ),
  )

atBothWidths('in free text, pictures stand where they were put', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await page.click('#rooms [value=text]')
  assert.ok(await page.isHidden('#attach-to-text'))
  await dropFiles(page, ['examples/boat-and-house.png'])
  await page.waitForSelector('#compose .notice')
  assert.match(await page.textContent('#compose .notice'), /^“boat-and-house\.png” is a picture, but this model reads only text/)
  await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  await sample(page, { temperature: '0', maxTokens: '16' })
  await page.fill('#prompt', 'This is ')
  await dropFiles(page, ['examples/boat-and-house.png'])
  await page.waitForFunction(() => document.querySelector('#compose .attachments li span')?.textContent === '66 tokens')
  assert.equal(await page.inputValue('#prompt'), 'This is [picture 1]')
  await dropFiles(page, ['examples/tree-and-car.png'])
  await page.waitForFunction(() => document.getElementById('prompt').value === 'This is [picture 1][picture 2]')
  // Its mark can be moved like any text.
  await page.fill('#prompt', '[picture 2] Describe the picture. [picture 1] And this one? [picture 7]')
  await page.click('#write')
  await written(page)
  assert.deepEqual(await kinds(page), ['a picture', 'Describe the picture.', 'a picture', 'And this one? [picture 7]'])
  assert.equal(await page.evaluate(() => globalThis.heed.attention.images.length), 2)
  assert.ok(await page.evaluate(() => globalThis.heed.passage.written.length > 0))
  const said = await page.evaluate(async () => {
    document.getElementById('copy-link').click()
    await new Promise(resolve => {
      requestAnimationFrame(resolve)
    })
    return document.getElementById('copied').textContent
  })
  assert.equal(said, 'A link has no room for the pictures of a text.')
  assert.equal(await page.getAttribute('#go-on', 'aria-disabled'), 'false')
  await page.evaluate(() => {
    globalThis.heed.viewer.token = 3
  })
  assert.equal(await page.getAttribute('#go-on', 'aria-disabled'), 'true', 'a picture is not cut')
  await page.click('#compose .attachments li:first-child button')
  assert.equal(await page.inputValue('#prompt'), '[picture 2] Describe the picture.  And this one? [picture 7]')
  await page.waitForFunction(() => globalThis.heed.passage.parts?.length === 3 && globalThis.heed.attention?.images.length === 1)
  // The earlier text is unchanged, and can be continued from its words.
  await page.click('#versions button')
  await written(page)
  assert.equal((await kinds(page)).length, 4)
  await page.evaluate(() => {
    globalThis.heed.viewer.token = globalThis.heed.passage.promptTokens.length + 1
  })
  await page.click('#go-on')
  await page.waitForFunction(() => globalThis.heed.versions.list.value.length === 2)
  await written(page)
  assert.equal((await kinds(page)).length, 4)
  // A model that accepts no images gets the text alone.
  await page.evaluate(() => document.getElementById('bundled').click())
  await page.waitForFunction(() => globalThis.heed.passage.prompt === ' Describe the picture.  And this one? [picture 7]')
  assertCalm(page)
})

atBothWidths(
  'a task of the lesson sets a message aside with its picture, and an old error goes with a good picture',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await page.waitForFunction(() => globalThis.heed.drafts.then(() => true))
    await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
    await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
    await chooseFiles(page, '#attach-file', [{ name: 'bad.json', bytes: Buffer.from('{}') }])
    await page.waitForFunction(() => document.querySelector('#chat-compose .notice')?.textContent.startsWith('“bad.json” is not'))
    await dropFiles(page, ['examples/boat-and-house.png'])
    const pictures = count =>
      page.waitForFunction(count => document.querySelectorAll('#chat .attachments li').length === count, count)
    await pictures(1)
    assert.equal(await page.locator('#chat-compose .notice').count(), 0)
    await page.fill('#message', 'What is this?')
    await page.click('#lesson-tasks button')
    await pictures(0)
    await page.waitForFunction(() => globalThis.heed.drafts.then(desk => desk.flush()).then(() => true))
    await page.reload()
    await page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))
    await page.click('#chat-compose .set-aside button')
    await pictures(1)
    assert.equal(await page.inputValue('#message'), 'What is this?')
    assertCalm(page)
  },
)

/** The pictures of the conversation, as its record has them. */
const addresses = page =>
  page.evaluate(() => globalThis.heed.conversation.path.value.flatMap(turn => turn.pictures ?? []).map(({ url }) => url))

atBothWidths('pictures come back as they were: one without an ending, and one with much detail', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  const drawn = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 64)
    canvas.getContext('2d').fillRect(8, 8, 30, 40)
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
    return [...bytes]
  })
  await chooseFiles(page, '#attach-file', [{ name: 'drawing', bytes: Buffer.from(drawn) }])
  const attached = count =>
    page.waitForFunction(count => document.querySelectorAll('#chat .attachments li').length === count, count)
  await attached(1)
  // Noise is what a file takes the most bytes for.
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2048, 2048)
    const context = canvas.getContext('2d')
    const image = context.createImageData(2048, 2048)
    for (let at = 0; at < image.data.length; at += 65_536) crypto.getRandomValues(image.data.subarray(at, at + 65_536))
    context.putImageData(image, 0, 0)
    const transfer = new DataTransfer()
    transfer.items.add(new File([await canvas.convertToBlob()], 'noise.png', { type: 'image/png' }))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  })
  await attached(2)
  await sample(page, { temperature: '0', maxTokens: '4' })
  await page.fill('#message', 'What is this?')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending)
  const before = await addresses(page)
  assert.equal(before.length, 2)
  await page.evaluate(() => globalThis.heed.keeper.flush())
  await page.reload()
  await page.waitForSelector('#chat-log .turn')
  assert.deepEqual(
    (await addresses(page)).map(url => url.length),
    before.map(url => url.length),
  )
  assert.ok(
    (await addresses(page)).every((url, at) => url === before[at]),
    'no file is compressed again',
  )
  assert.equal(await page.textContent('#keeping-note'), '')
  assertCalm(page)
})

atBothWidths('the pictures of free text are there after a reload, at their marks', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await page.waitForFunction(() => globalThis.heed.drafts.then(() => true))
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  await dropFiles(page, ['examples/boat-and-house.png'])
  await page.waitForFunction(() => document.getElementById('prompt').value.includes('[picture 1]'))
  await page.fill('#prompt', 'This [picture 1] is')
  await page.waitForFunction(() => globalThis.heed.drafts.then(desk => desk.flush()).then(() => true))
  await page.reload()
  await page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))
  assert.equal(await page.inputValue('#prompt'), 'This [picture 1] is')
  assert.equal(await page.locator('#compose .attachments li b').textContent(), '[picture 1]')
  await hasModel(page)
  await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  await page.waitForFunction(() => globalThis.heed.model?.info.acceptsImages)
  // the picture is read, after the token that begins a text and a word, and before another
  await page.waitForFunction(() => globalThis.heed.passage.parts?.length === 4 && globalThis.heed.attention?.images.length === 1)
  assertCalm(page)
})

const onlyWithPictures = 'This model was trained only on questions about a picture: without one, its answer means nothing.'
const asked = (page, turns) =>
  page.waitForFunction(
    turns => globalThis.heed.conversation.path.value.length === turns && globalThis.heed.conversation.last.ending,
    turns,
  )

atBothWidths('a model that knows only pictures says so, and asks for one before it answers', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await takeTiny(page, 'heed-questions')
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  assert.equal(await page.textContent('#chat .example-hint'), onlyWithPictures)
  assert.ok(await page.isVisible('#chat .example-hint'))
  const notice = '#chat-compose .notice'
  await page.fill('#message', 'What is on the left?')
  await page.press('#message', 'Enter')
  await page.waitForSelector(notice)
  assert.equal(await page.textContent(`${notice} span`), onlyWithPictures)
  assert.equal(await page.inputValue('#message'), 'What is on the left?')
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.turns.length), 0)
  await page.waitForSelector('.example-picture canvas')
  await page.click('.example-picture')
  await page.waitForFunction(() => document.querySelector('.attachments li span')?.textContent === '66 tokens')
  assert.equal(await page.locator(notice).count(), 0)
  await page.press('#message', 'Enter')
  await asked(page, 2)
  assert.ok(await page.isHidden('#chat .example-hint'), 'the conversation has a picture')
  await page.fill('#message', 'What is on the right?')
  await page.press('#message', 'Enter')
  await asked(page, 4)
  // Who wants to see what it answers without a picture can have that.
  await page.click('#chat-new')
  await page.fill('#message', 'What is love?')
  await page.press('#message', 'Enter')
  await page.waitForSelector(notice)
  await page.click(`${notice} button`)
  await asked(page, 2)
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.path.value[0].text), 'What is love?')
  await page.click('#rooms [value=text]')
  await page.waitForFunction(text => document.getElementById('figures').textContent === text, onlyWithPictures)
  assertCalm(page)
})

atBothWidths('a model that reads pictures and chats without them is asked nothing', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await chooseFiles(page, '#file', [
    { name: 'stories.gguf', bytes: defaultModelBytes() },
    { name: 'mmproj-stories.gguf', bytes: projectorFile(128) },
  ])
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  assert.equal(await page.locator('.example-hint').count(), 0)
  await sample(page, { maxTokens: '8' })
  await page.fill('#message', 'What can you do?')
  await page.press('#message', 'Enter')
  await asked(page, 2)
  assert.equal(await page.locator('#chat-compose .notice').count(), 0)
  assertCalm(page)
})
