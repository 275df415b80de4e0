// Other models in the page: dropped, chosen or fetched; if one cannot be loaded, the old one stays in use.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defaultModelBytes, needsShared, sharedFile } from '../package/support.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { splitModel } from '../support/gguf_files.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { serveModel } from '../support/model_server.mjs'
import {
  assertCalm,
  changed,
  choose,
  chooseFiles,
  drop,
  inTurn,
  keep,
  openPage,
  sample,
  servePage,
  visitPage,
  write,
} from './page.mjs'

const { browser, site } = await visitPage()
const models = await serveModel(defaultModelBytes())
after(() => models.close())

/** Checks that the page still has the model that `keep` recorded, and generates with it. */
async function assertKept(page) {
  assert.ok(await page.evaluate(() => globalThis.heed.model === globalThis.kept))
  await page.locator('#loading').waitFor({ state: 'hidden' })
  await sample(page, { maxTokens: '24' })
  assert.ok((await write(page, 'Write a story.')).length > 0)
}

async function notice(page) {
  const sentence = await page.textContent('.notice span')
  assert.match(sentence, /^[A-Z“].*[^.]\.$/s, 'one sentence')
  assert.doesNotMatch(sentence, /undefined|Error|\n/)
  return sentence
}

test('a model dropped on the page replaces the embedded one', needsShared, async () => {
  const page = await openPage(browser, site.url)
  await keep(page)
  await drop(page, 'stories260K.gguf', readFileSync(sharedFile('models/stories260K.gguf')))
  await changed(page)
  assert.match(await page.textContent('#facts'), /llama.*F32.*260 thousand parameters.*5 layers of 8 heads/)
  assert.equal(await page.inputValue('#prompt'), 'Once upon a time', 'a prompt for the other model gave way')
  await sample(page, { temperature: '0', maxTokens: '192' })
  const story = readFileSync(sharedFile('models/stories260K.txt'), 'utf8')
  const prompt = 'Once upon a time'
  assert.ok(story.startsWith(prompt))
  const text = prompt + (await write(page, prompt))
  assert.equal(text.slice(0, 400), story.slice(0, 400))
  assertCalm(page)
  await page.close()
})

test('loads a chosen file, and a URL', async () => {
  const page = await openPage(browser, site.url)
  await page.click('.other-models summary')
  await keep(page)
  await chooseFiles(page, '#file', [{ name: 'chosen.gguf', bytes: defaultModelBytes() }])
  await changed(page)
  await keep(page)
  await page.click('.other-models summary')
  await page.fill('#url', `${models.url}/model`)
  await page.click('#address button')
  await changed(page)
  assertCalm(page)
  await page.close()
})

test('all parts of a split model are chosen together, in any order, but not several models', async () => {
  const page = await openPage(browser, site.url)
  await page.click('.other-models summary')
  await keep(page)
  const parts = Object.entries(splitModel(defaultModelBytes(), 3, 'tales-Q8_0')).map(([name, bytes]) => ({ name, bytes }))
  await chooseFiles(page, '#file', parts.toReversed())
  await changed(page)
  assert.equal(await page.evaluate(() => heed.model.info.name), 'heed-stories')
  await keep(page)
  await chooseFiles(page, '#file', [parts[0], { name: 'other.gguf', bytes: defaultModelBytes() }])
  await page.waitForSelector('.notice')
  assert.match(await notice(page), /several models/)
  await chooseFiles(page, '#file', parts.slice(1))
  await page.waitForFunction(() => /missing/.test(document.querySelector('.notice')?.textContent))
  await assertKept(page)
  assertCalm(page)
  await page.close()
})

test('a folder with the parts of a model can be dropped', async () => {
  const page = await openPage(browser, site.url)
  await keep(page)
  const parts = Object.entries(splitModel(defaultModelBytes(), 2, 'tales')).map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString('base64'),
  ])
  await page.evaluate(parts => {
    // The entries that a browser creates for a dropped folder, which scripts cannot create.
    const fileOf = ([name, base64]) => ({
      isFile: true,
      isDirectory: false,
      file: resolve => resolve(new File([Uint8Array.from(atob(base64), character => character.charCodeAt(0))], name)),
    })
    const pieces = [[fileOf(['notes.txt', ''])], ...parts.map(part => [fileOf(part)]), []]
    const folder = { isFile: false, isDirectory: true, createReader: () => ({ readEntries: resolve => resolve(pieces.shift()) }) }
    const event = new Event('drop', { bubbles: true, cancelable: true })
    const dataTransfer = { types: ['Files'], files: [new File([], 'folder')], items: [{ webkitGetAsEntry: () => folder }] }
    document.body.dispatchEvent(Object.assign(event, { dataTransfer }))
  }, parts)
  await changed(page)
  assertCalm(page)
  await page.close()
})

test('the bundled model is in the list', async () => {
  const page = await openPage(browser, site.url)
  await choose(page, 'gpt2', goldenBytes('gpt2'))
  await page.click('.other-models summary')
  await keep(page)
  await page.click('#bundled')
  await changed(page)
  assert.equal(await page.evaluate(() => heed.model.info.name), 'heed-stories')
  assertCalm(page)
  await page.close()
})

const broken = {
  'a truncated file': [bytes => bytes.subarray(0, bytes.length / 2), /is not complete: it ends after 1\.4 MB of 2\.8 MB\.$/],
  'a file that ends in its header': [bytes => bytes.subarray(0, 1000), /is not complete: it ends inside its header\.$/],
  'a file that is not GGUF': [
    () => Buffer.from('<!doctype html><title>Not a model</title>'),
    /is not a GGUF file, the kind of file/,
  ],
  'an empty file': [() => Buffer.alloc(0), /is empty\.$/],
  'a damaged file': [
    bytes => Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(8, 255), bytes.subarray(16)]),
    /is damaged, or no model: /,
  ],
}
const nextPage = inTurn(() => openPage(browser, site.url))

for (const [name, [change, reason]] of Object.entries(broken)) {
  test(`${name} is rejected in one sentence, and the old model still generates`, async () => {
    const page = await nextPage()
    assert.equal(await page.locator('.notice').count(), 0)
    await keep(page)
    await drop(page, 'broken.gguf', change(defaultModelBytes()))
    await page.waitForSelector('.notice')
    const sentence = await notice(page)
    assert.ok(sentence.startsWith('“broken.gguf” '), sentence)
    assert.match(sentence, reason)
    await assertKept(page)
    assertCalm(page)
    await page.close()
  })
}

for (const [path, expected] of [
  ['missing', /HTTP 404/],
  ['broken', /“broken” could not be downloaded/],
]) {
  test(`a URL that fails (${path}) is reported in one sentence`, async () => {
    const page = await openPage(browser, site.url)
    await keep(page)
    await page.click('.other-models summary')
    await page.fill('#url', `${models.url}/${path}`)
    await page.click('#address button')
    // Retries after an interrupted download are reported, too.
    await page.locator('.notice', { hasText: expected }).waitFor()
    assert.match(await notice(page), expected)
    await assertKept(page)
    assertCalm(page, /404|ERR_/)
    await page.close()
  })
}

/** Serves the default model at a path like a hub's, to pages of any origin. */
async function serveHub(context, path) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-hub-'))
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), defaultModelBytes())
  const hub = await serve(folder, {
    headers: { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' },
  })
  context.after(async () => {
    await hub.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return hub.url
}

async function load(page, address) {
  await page.click('.other-models summary')
  await page.fill('#url', address)
  await page.click('#address button')
}

test("the URL of a file's page on a hub stands for the file", async context => {
  const hub = await serveHub(context, 'owner/name/resolve/main/sub/model.gguf')
  const page = await openPage(browser, site.url)
  await keep(page)
  await load(page, `${hub}owner/name/blob/main/sub/model.gguf?download=true`)
  await changed(page)
  assert.deepEqual(await page.locator('.notice').allTextContents(), [])
  assertCalm(page)
  await page.close()
})

test('a URL with a literal % is reported like any other', async () => {
  const page = await openPage(browser, site.url)
  await keep(page)
  await load(page, `${models.url}/100%.gguf`)
  await page.waitForSelector('.notice')
  assert.match(await notice(page), /^“100%\.gguf” could not be downloaded: .*404/)
  await assertKept(page)
  assertCalm(page, /404|ERR_/)
  await page.close()
})

/** An image of one white pixel. */
const whitePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'base64',
)

test('tiny models that are served with the page are one click away, in their own group', async context => {
  const other = await servePage({
    change(folder) {
      const examples = {
        t5: { texts: ['the fox sings', 'a hen'] },
        clip: { picture: 'examples/white.png', texts: ['a fox', 'an owl'] },
      }
      const tiny = ['t5', 'clip'].map(name => ({
        name: `A tiny ${name}`,
        file: `${name}.gguf`,
        kind: name,
        bytes: 12_300,
        note: 'It is small.',
        content: { name: '', bytes: goldenBytes(name).length },
        example: examples[name],
      }))
      mkdirSync(join(folder, 'tiny/examples'), { recursive: true })
      writeFileSync(join(folder, 'tiny/examples/white.png'), whitePixel)
      for (const { file } of tiny) writeFileSync(join(folder, 'tiny', file), goldenBytes(file.replace('.gguf', '')))
      writeFileSync(join(folder, 'tiny/catalogue.json'), JSON.stringify(tiny))
    },
  })
  context.after(() => other.close())
  const page = await openPage(browser, other.url)
  await page.click('.other-models summary')
  await page.waitForSelector('#tiny button')
  assert.match(await page.textContent('#tiny-title'), /our own/i)
  assert.deepEqual(
    await page.locator('#tiny li').allTextContents(),
    ['t5', 'clip'].map(name => `A tiny ${name}${name}, 12.3 kB. It is small.Will it run here?`),
  )
  for (const [name, selector] of [
    ['t5', '#kind'],
    ['clip', '#picture'],
  ]) {
    await keep(page)
    if (!(await page.locator('#tiny').isVisible())) await page.click('.other-models summary')
    await page.click(`text=A tiny ${name}`)
    await changed(page)
    assert.ok(await page.locator(selector).isVisible())
    if (name === 't5') {
      assert.equal(await page.inputValue('#prompt'), 'the fox sings')
      assert.deepEqual(await page.locator('#examples button:visible').allTextContents(), ['a hen'])
    }
  }
  await page.waitForFunction(() => globalThis.heed.picture?.width === 1)
  assert.equal(await page.inputValue('#descriptions-box'), 'a fox\nan owl')
  await page.click('#picture-pick', { trial: true })
  assertCalm(page)
  await page.close()
})

test('every tiny model of the build is listed, and can be loaded', async () => {
  const page = await openPage(browser, site.url)
  const { models } = await page.evaluate(async () => ({ models: await (await fetch('tiny/catalogue.json')).json() }))
  await page.click('.other-models summary')
  // The page fetches the same list, possibly after the test.
  await page.locator('#tiny-title').waitFor({ state: models.length > 0 ? 'visible' : 'hidden' })
  for (const { name, file, projector, bytes } of models) {
    await keep(page)
    if (!(await page.locator('#tiny').isVisible())) await page.click('.other-models summary')
    await page.locator('#tiny button', { hasText: name }).click()
    await changed(page)
    const sizes = [file, ...(projector ? [projector] : [])].map(file => statSync(inRoot('models/tiny', file)).size)
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      bytes,
    )
    assert.equal(await page.evaluate(() => globalThis.heed.model.info.fileBytes), sizes[0])
    assert.equal(await page.evaluate(() => globalThis.heed.model.info.acceptsImages), projector !== undefined)
  }
  assertCalm(page)
  await page.close()
})

test('a tiny model opens with its own examples, where there is something to see, also from a link', async () => {
  for (const way of ['the list', 'a link']) {
    const page = await openPage(browser, site.url)
    const [french] = await page.evaluate(async () =>
      (await (await fetch('tiny/catalogue.json')).json()).filter(({ name }) => name === 'heed-french'),
    )
    const { texts, view } = french.example
    await keep(page)
    if (way === 'the list') {
      await page.click('.other-models summary')
      await page.locator('#tiny button', { hasText: 'heed-french' }).click()
    } else {
      await page.evaluate(() => {
        location.hash = `prompt=The+cat+sleeps.&model=${encodeURIComponent(new URL('tiny/heed-french.gguf', location.href))}`
      })
    }
    await changed(page)
    const offered = await page.locator('#examples button').evaluateAll(buttons => buttons.map(({ value }) => value))
    assert.deepEqual(offered, texts, way)
    await page.fill('#prompt', texts[0])
    await page.click('#write')
    await page.waitForFunction(() => heed.viewer.kind === 'cross' && heed.attention?.of === 'cross')
    assert.deepEqual(await page.evaluate(() => [heed.viewer.layer + 1, heed.viewer.head + 1]), [view.layer, view.head], way)
    await page.check('input[name=head][value="0"]', { force: true })
    await page.check('input[name=kind][value=encoder]')
    await page.check('input[name=kind][value=cross]')
    assert.notEqual(await page.evaluate(() => heed.viewer.head), view.head - 1, 'what the user chooses stays')
    await page.close()
  }
})

test('a slow download shows its progress, and Cancel ends it', async () => {
  const page = await openPage(browser, site.url)
  await keep(page)
  await page.click('.other-models summary')
  await page.fill('#url', `${models.url}/slow`)
  await page.click('#address button')
  await page.waitForFunction(() => /: [\d.]+ [kM]?B of [\d.]+ MB$/.test(document.getElementById('loading-text').textContent))
  assert.ok(await page.locator('#loading-bar').evaluate(bar => bar.value > 0 && bar.value < 1))
  await page.click('#loading-cancel')
  await assertKept(page)
  assert.equal(await page.locator('.notice').count(), 0)
  assertCalm(page)
  await page.close()
})

test('a model that is loaded during a generation ends it, and reads the prompt', async () => {
  const page = await openPage(browser, site.url)
  await keep(page)
  await sample(page, { temperature: '2', topK: '0', topP: '1', minP: '0', maxTokens: '1024' })
  await page.fill('#prompt', 'Write a story about a clock.')
  await page.click('#write')
  await drop(page, 'another.gguf', goldenBytes('gpt2'))
  await changed(page)
  assert.equal(await page.locator('#versions button').count(), 0)
  assert.equal(await page.evaluate(() => heed.passage.prompt), 'Write a story about a clock.')
  await sample(page, { maxTokens: '24' })
  assert.ok((await write(page)).length > 0)
  assertCalm(page)
  await page.close()
})

test('reports an engine crash, and reloads the model', async context => {
  // Runs before the engine's worker, and crashes if 16 tokens are requested.
  const breaking = `addEventListener('message', event => {
    if (event.data.type !== 'generate' || event.data.options.maxTokens !== 16) return
    event.stopImmediatePropagation()
    postMessage({ type: 'failed', id: event.data.id, code: 'crashed', message: 'unreachable' })
  });\n`
  const other = await servePage({
    change(folder) {
      const assets = join(folder, 'assets')
      for (const name of readdirSync(assets).filter(name => /^heed-worker.*\.js$/.test(name))) {
        writeFileSync(join(assets, name), breaking + readFileSync(join(assets, name), 'utf8'))
      }
    },
  })
  context.after(() => other.close())
  const page = await openPage(browser, other.url)
  await keep(page)
  await sample(page, { maxTokens: '16' })
  await page.click('#write')
  await changed(page)
  assert.match(await notice(page), /^The model failed: unreachable\.$/)
  await sample(page, { maxTokens: '24' })
  assert.ok((await write(page)).length > 0)
  await page.close()
})
