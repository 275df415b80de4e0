// Sharing what the page shows: as a link, as code, as an image; and the page's metadata.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { linksOf } from '../../web/page-links.js'
import { defaultModelBytes } from '../package/support.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { serveModel } from '../support/model_server.mjs'
import { command, say } from './chatting.mjs'
import { assertCalm, choose, openPage, sample, visitPage, write } from './page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })

const copied = async (page, button) => {
  await page.click(button)
  await page.waitForFunction(() => /copied\.$/.test(document.getElementById('copied').textContent))
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The state of a page, for comparisons. */
const shown = page =>
  page.evaluate(() => {
    const { layer, head, token, passage, attention } = globalThis.heed.viewer
    return {
      layer,
      head,
      token,
      prompt: passage.prompt,
      written: passage.written.map(({ id }) => id),
      ids: attention.tokens.map(({ id }) => id),
      weights: [...attention.weights(head)],
      options: globalThis.heed.versions.current && {
        ...globalThis.heed.versions.current.order.options,
        seed: globalThis.heed.versions.current.outcome.seed,
      },
    }
  })

/** Opens a link in another page, and waits until that holds a token. */
async function follow(link) {
  const page = await browser.open(link)
  await page.waitForFunction(() => globalThis.heed?.viewer.token !== undefined)
  return page
}

test('accepts every seed that can be drawn, and rejects larger ones', async () => {
  const page = await openPage(browser, site.url)
  for (const [seed, valid] of [
    ['9007199254740991', true],
    ['9007199254740992', false],
    ['x', false],
  ]) {
    await sample(page, { seed })
    assert.equal(await page.locator('#seed').evaluate(input => input.checkValidity()), valid, seed)
  }
  await page.close()
})

test('a link leads to the same text, layer, head and token', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { temperature: '1.2', topK: '0', maxTokens: '32' })
  await write(page, 'Write a story about a whale & a #bell.')
  await page.fill('#layer', '3')
  await page.check('input[name=head][value="2"]', { force: true })
  await page.waitForFunction(() => globalThis.heed.attention.layer === 3)
  await page.locator('.token.written').nth(9).click()
  const link = await copied(page, '#copy-link')
  assert.equal(page.url(), link, 'it is in the address bar, too')
  const other = await follow(link)
  const [expected, found] = [await shown(page), await shown(other)]
  assert.deepEqual(found, expected)
  assert.equal(found.options.temperature, 1.2)
  assert.deepEqual(
    await other.evaluate(() => ['temperature', 'topK', 'seed'].map(id => document.getElementById(id).value)),
    ['0.8', '40', ''],
    'the settings are those of its text only',
  )
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('a link to a model that is not there: says so, and the bundled model takes its place', async () => {
  const page = await browser.open(`${site.url}#prompt=a%20fox&model=${encodeURIComponent(`${site.url}nowhere.gguf`)}`)
  await page.waitForFunction(() => globalThis.heed?.model)
  assert.match(await page.textContent('.notice span'), /nowhere\.gguf.* The bundled model takes its place\.$/)
  await page.waitForFunction(() => heed.passage.prompt === 'a fox' || heed.attention)
  assert.equal(await page.evaluate(() => heed.model.info.name), 'heed-stories')
  assert.ok(await page.isEnabled('#write'))
  assertCalm(page, /404/)
  await page.close()
})

test('if the model of a link is not available, no other model writes its text, and the notice stays', async () => {
  const page = await openPage(browser, site.url)
  await page.evaluate(hash => {
    location.hash = hash
  }, new URLSearchParams({ prompt: 'a fox', seed: 1, maxTokens: 8, model: `${site.url}nowhere.gguf` }).toString())
  await page.locator('.notice').waitFor()
  await page.evaluate(() => heed.viewer.settled())
  assert.match(await page.textContent('.notice span'), /nowhere\.gguf/)
  assert.equal(await page.evaluate(() => heed.versions.list.value.length), 0)
  assertCalm(page, /404/)
  await page.close()
})

test('a damaged link to a conversation says so in a new tab, too', async () => {
  const page = await browser.open(`${site.url}#chat=damaged`)
  await page.waitForFunction(() => heed.model && document.querySelector('.notice'))
  assert.match(await page.textContent('.notice span'), /damaged/)
  assertCalm(page)
  await page.close()
})

test('a place in the page keeps its link; a task of the lesson brings the chat model back', async () => {
  const page = await openPage(browser, site.url)
  await page.click('#open-alignment')
  await page.waitForFunction(() => heed.model?.info.architecture === 't5' && heed.versions.current?.outcome && heed.attention)
  const go = act =>
    page.evaluate(
      act =>
        new Promise(resolve => {
          globalThis.kept = heed.model
          addEventListener('hashchange', resolve, { once: true })
          if (act) document.querySelector(act).click()
          else history.back()
        }),
      act,
    )
  const isCalm = () =>
    page.evaluate(
      () => heed.model === globalThis.kept && heed.versions.list.value.length === 1 && document.getElementById('loading').hidden,
    )
  await go('a[href="#lesson"]')
  assert.ok(await isCalm())
  await page.locator('#lesson-tasks button').first().click()
  await page.waitForFunction(() => heed.model.info.name === 'heed-stories' && document.getElementById('message').value !== '')
  assert.ok(await page.locator('#chat').isVisible())
  await go('#open-alignment')
  await page.waitForFunction(
    () => heed.model.info.architecture === 't5' && heed.versions.list.value.length === 1 && heed.versions.current.outcome,
  )
  await go()
  assert.equal(await page.evaluate(() => location.hash), '#lesson')
  assert.equal(await page.evaluate(() => heed.model === globalThis.kept), true)
  await go()
  await go()
  await page.waitForFunction(() => heed.model?.info.name === 'heed-stories' && heed.attention)
  assertCalm(page)
  await page.close()
})

test('Back from a link to another model brings the model before it back', async () => {
  const page = await openPage(browser, site.url)
  await page.click('#open-alignment')
  await page.waitForFunction(() => heed.model?.info.architecture === 't5' && heed.attention)
  await page.goBack()
  await page.waitForFunction(() => heed.model?.info.name === 'heed-stories' && heed.attention)
  await page.goForward()
  await page.waitForFunction(() => heed.model?.info.architecture === 't5' && heed.attention)
  assertCalm(page)
  await page.close()
})

test("Back while a link's model is being loaded, or has just taken the other's place: that one stays, or comes back", async () => {
  const page = await openPage(browser, site.url)
  const isBack = () =>
    page.waitForFunction(
      () =>
        location.hash === '' &&
        heed.model?.info.name === 'heed-stories' &&
        heed.attention &&
        document.getElementById('loading').hidden,
    )
  const hasGoneBack = () => page.evaluate(() => globalThis.goneBack)
  await page.evaluate(() => {
    globalThis.nextHash = () => new Promise(resolve => addEventListener('hashchange', resolve, { once: true }))
    globalThis.goBack = () => {
      const changed = nextHash()
      history.back()
      return changed
    }
    globalThis.goneBack = nextHash().then(goBack)
  })
  await page.click('#open-alignment')
  await hasGoneBack()
  await isBack()
  await page.evaluate(() => {
    const { model } = heed
    const dispose = model.dispose.bind(model)
    globalThis.goneBack = new Promise(resolve => {
      model.dispose = async () => {
        await goBack()
        resolve()
        await dispose()
      }
    })
  })
  await page.click('#open-alignment')
  await hasGoneBack()
  await isBack()
  assertCalm(page)
  await page.close()
})

test("the settings of a link in the lesson are those of its text only: the user's own stay, and the next text has them", async () => {
  const page = await openPage(browser, site.url)
  await page.check('#one-sentence')
  const own = { temperature: '1.35', topK: '17', topP: '0.9', minP: '0.02', repetitionPenalty: '1.1', maxTokens: '24', seed: '99' }
  await sample(page, own)
  const shownSettings = () =>
    page.evaluate(ids => Object.fromEntries(ids.map(id => [id, document.getElementById(id).value])), Object.keys(own))
  const orderOf = () => page.evaluate(() => heed.versions.current.order)
  const digest = await page.textContent('#sampling-digest')
  await page.click('#open-alignment')
  await page.waitForFunction(() => heed.model?.info.architecture === 't5' && heed.versions.current?.outcome)
  const linked = await orderOf()
  assert.deepEqual(
    [linked.options.temperature, linked.options.seed, linked.oneSentence],
    [0, 1, false],
    'its text has the settings of the link',
  )
  assert.deepEqual(await shownSettings(), own)
  assert.equal(await page.textContent('#sampling-digest'), digest)
  assert.ok(await page.isChecked('#one-sentence'))
  await page.fill('#prompt', 'the black cat')
  await page.click('#write')
  await page.waitForFunction(() => heed.versions.current?.passage.value.prompt === 'the black cat' && heed.versions.current.outcome)
  const { options, oneSentence } = await orderOf()
  for (const [name, value] of Object.entries(own)) assert.equal(options[name], Number(value), name)
  assert.equal(oneSentence, true)
  assertCalm(page)
  await page.close()
})

test('a link to a sentence, and one to a prompt alone', async () => {
  const page = await openPage(browser, site.url)
  await page.check('#one-sentence')
  await page.click('#write')
  await page.waitForFunction(
    () => /The sentence is complete/.test(document.getElementById('figures').textContent) && globalThis.heed.attention.rows > 11,
  )
  await page.click('#token-12')
  const sentence = await follow(await copied(page, '#copy-link'))
  assert.deepEqual((await shown(sentence)).ids, (await shown(page)).ids)
  assert.match(await sentence.textContent('#figures'), /The sentence is complete/)
  await sentence.close()
  await page.fill('#prompt', 'a fox')
  await page.waitForFunction(() => globalThis.heed.passage.prompt === 'a fox' && globalThis.heed.attention?.rows < 5)
  await page.click('#token-1')
  const prompt = await follow(await copied(page, '#copy-link'))
  assert.deepEqual((await shown(prompt)).written, [])
  assert.deepEqual((await shown(prompt)).ids, (await shown(page)).ids)
  assertCalm(prompt)
  await prompt.close()
  await page.close()
})

test('a link includes the URL of a model; a local file cannot be linked', async context => {
  const models = await serveModel(defaultModelBytes())
  context.after(() => models.close())
  const link = new URL(site.url)
  link.hash = new URLSearchParams({
    model: `${models.url}/model`,
    prompt: 'Write a story.',
    seed: '3',
    maxTokens: '16',
    token: '2',
  })
  const page = await browser.open(link.href)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  assert.match(await dialog.textContent(), new RegExp(`${new URL(models.url).host}.*“model”`, 's'))
  assert.equal(models.sent(), 0, 'nothing is fetched before the answer')
  await dialog.getByRole('button', { name: /^Download it from/ }).click()
  await page.waitForFunction(() => globalThis.heed?.viewer.token !== undefined)
  assert.equal(models.sent() > 0, true)
  assert.equal(await page.locator('#kept li').count(), 0, 'it is not stored')
  await page.evaluate(() => {
    location.hash = location.hash.replace('token=2', 'token=3')
  })
  await page.waitForFunction(() => globalThis.heed.viewer.token === 3) // without another question
  assert.equal(new URLSearchParams(new URL(await copied(page, '#copy-link')).hash.slice(1)).get('model'), `${models.url}/model`)
  await choose(page, 'gpt2', goldenBytes('gpt2'))
  await page.click('#copy-link')
  assert.match(await page.textContent('#copied'), /a local model file/)
  await page.close()
})

test('a link leads to the same conversation, layer, head and token', async () => {
  const page = await openPage(browser, site.url)
  await page.check('#rooms [value=chat]')
  const copyLink = async () => {
    await page.evaluate(() => {
      document.getElementById('chat-note').textContent = ''
    })
    await command(page, '#chat-link')
    await page.waitForFunction(() => /conversation|copied/.test(document.getElementById('chat-note').textContent))
    return page.textContent('#chat-note')
  }
  assert.match(await copyLink(), /no conversation yet/)
  await command(page, '#system-button')
  await page.fill('#system-message', 'Be brief & kind. ☕')
  await sample(page, { temperature: '0', maxTokens: '24' })
  await say(page, 'A fox named Pip lost a lantern. Who lost the lantern?')
  await page.check('input[name=head][value="2"]', { force: true })
  await page.click('#token-7')
  assert.equal(await copyLink(), 'Link copied.')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(page.url(), link)
  const state = each =>
    each.evaluate(() => ({
      messages: heed.conversation.messagesTo(heed.conversation.last),
      layer: heed.viewer.layer,
      head: heed.viewer.head,
      token: heed.viewer.token,
      ids: heed.attention.tokens.slice(0, 30).map(({ id }) => id),
    }))
  const other = await follow(link)
  assert.ok(await other.locator('#chat').isVisible())
  assert.deepEqual(await state(other), await state(page))
  await other.evaluate(() => {
    location.hash = '#chat=damaged'
  })
  await other.locator('.notice').waitFor()
  assert.match(await other.textContent('.notice'), /damaged/)
  await page
    .evaluate(() => crypto.getRandomValues(new Uint32Array(60_000)).join(' '))
    .then(text =>
      page.evaluate(text => {
        heed.conversation.say(text, heed.conversation.last)
      }, text),
    )
  assert.match(await copyLink(), /too long for a link/)
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('a link to a model that the user does not want leaves the page as it is', async context => {
  const models = await serveModel(defaultModelBytes())
  context.after(() => models.close())
  const link = new URL(site.url)
  link.hash = new URLSearchParams({ model: `${models.url}/model`, prompt: 'Write a story.', seed: '3' })
  const page = await browser.open(link.href)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => globalThis.heed?.model)
  await page.evaluate(() => {
    globalThis.kept = globalThis.heed.model
  })
  const hashTo = hash =>
    page.evaluate(
      hash =>
        new Promise(resolve => {
          addEventListener('hashchange', resolve, { once: true })
          if (hash === undefined) history.back()
          else location.hash = hash
        }),
      hash,
    )
  await hashTo('')
  assert.ok(await page.locator('#loading').isHidden(), 'there is no link to leave')
  await hashTo(link.hash)
  await page.getByRole('dialog').waitFor()
  await hashTo()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  for (const button of ['Do not open it', 'Escape']) {
    await page.evaluate(hash => {
      location.hash = `${hash}&token=${Math.random()}`
    }, link.hash)
    await page.getByRole('dialog').waitFor()
    if (button === 'Escape') await page.keyboard.press('Escape')
    else await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  assert.equal(models.sent(), 0)
  assert.equal(await page.evaluate(() => globalThis.kept === globalThis.heed.model), true)
  assertCalm(page)
  await page.close()
})

for (const [name, hash] of [
  ['a layer that there is not', 'prompt=a+fox&layer=100&token=1'],
  ['a token that there is not', 'prompt=a+fox&token=99'],
]) {
  test(`a link with ${name} shows the text, and a notice`, async () => {
    const page = await browser.open(`${site.url}#${hash}`)
    await page.waitForSelector('.notice')
    assert.match(await page.textContent('.notice span'), /does not fit this model: .*99/)
    assert.equal(await page.evaluate(() => globalThis.heed.passage.prompt), 'a fox')
    assertCalm(page)
    await page.close()
  })
}

for (const hash of [
  'prompt=a+fox&layer=one&head=-1&token=1.5&seed=x&temperature=&model=nothing',
  'prompt=a+fox&model=javascript:alert(1)',
  'prompt=a+fox&model=file:///x.gguf',
  'anything',
  '=&=&%%%',
]) {
  test(`ignores what makes no sense in a link: #${hash}`, async () => {
    const page = await openPage(browser, `${site.url}#${hash}`)
    await page.waitForFunction(() => !globalThis.heed.passage.prompt.includes('%'))
    assert.deepEqual(await page.locator('.notice').allTextContents(), [])
    assertCalm(page)
    await page.close()
  })
}

test("the code shows the same in a user's own page", async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '16', seed: '8' })
  await write(page, 'Write a story about "quotes" and \\slashes.')
  await page.fill('#layer', '0')
  await page.check('input[name=head][value="2"]', { force: true })
  await page.waitForFunction(() => globalThis.heed.attention.layer === 0)
  await page.click('#token-5')
  const code = await copied(page, '#copy-code')
  assert.match(code, /^import \{ loadModel \} from 'heed'\nimport \{ HeedViewer \} from 'heed\/viewer'\n/)
  // The page itself provides the modules: its viewer's class, and the model in use.
  const body = code.replace(/^import .*$/gm, '').replace('loadModel()', 'Promise.resolve(globalThis.heed.model)')
  const result = await page
    .evaluate(async body => {
      const run = new (Object.getPrototypeOf(async () => {}).constructor)('HeedViewer', `${body}; return viewer`)
      const viewer = await run(globalThis.heed.viewer.constructor)
      const { layer, head, token, passage, attention } = viewer
      viewer.remove()
      return { layer, head, token, written: passage.written.map(({ id }) => id), weights: [...attention.weights(head)] }
    }, body)
    .catch(error => ({ error: error.message }))
  const { layer, head, token, written, weights } = await shown(page)
  assert.deepEqual(result, { layer, head, token, written, weights })
  await page.close()
})

test('saves the map as a PNG with a descriptive name', async () => {
  const page = await openPage(browser, site.url)
  await page.fill('#layer', '1')
  await page.check('input[name=head][value="3"]', { force: true })
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-map-png')])
  assert.equal(download.suggestedFilename(), 'attention-layer-2-head-4.png')
  const bytes = readFileSync(await download.path())
  assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47])
  // The same as a drawing, which does not depend on the page, and as numbers.
  const [svg] = await Promise.all([page.waitForEvent('download'), page.click('#save-map-svg')])
  assert.equal(svg.suggestedFilename(), 'attention-layer-2-head-4.svg')
  const drawn = await page.evaluate(
    text => {
      const document = new DOMParser().parseFromString(text, 'image/svg+xml')
      return {
        error: document.querySelector('parsererror')?.textContent,
        labels: [...document.querySelectorAll('text')].map(label => label.textContent),
      }
    },
    readFileSync(await svg.path(), 'utf8'),
  )
  assert.equal(drawn.error, undefined)
  assert.equal(drawn.labels[0], 'Attention, layer 2, head 4')
  const [csv] = await Promise.all([page.waitForEvent('download'), page.click('#save-map-csv')])
  const lines = readFileSync(await csv.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  const { tokens, weights } = await page.evaluate(() => ({
    tokens: heed.attention.tokens.length,
    weights: [...heed.attention.weights(3)],
  }))
  assert.equal(lines.length, tokens + 1)
  assert.equal(drawn.labels.length, 1 + 2 * tokens + 7, 'the names of all rows and columns, and the legend')
  const last = lines.at(-1).split(',').slice(-tokens).map(Number)
  assert.deepEqual(last, weights.slice(-tokens))
  assert.equal(lines[1].split(',').at(-1), '', 'the first token does not see the last')
  assertCalm(page)
  await page.close()
})

test('the page has metadata, and can be installed', async () => {
  const html = readFileSync(inRoot('build/page/index.html'), 'utf8')
  for (const property of ['og:title', 'og:description', 'og:type'])
    assert.match(html, new RegExp(`property="${property}" content="[^"]+"`))
  const page = await openPage(browser, site.url)
  const manifest = await page.evaluate(async () => {
    const { href } = document.querySelector('link[rel=manifest]')
    const manifest = await (await fetch(href)).json()
    const icons = await Promise.all(manifest.icons.map(async ({ src }) => (await fetch(new URL(src, href))).status))
    return { ...manifest, start: new URL(manifest.start_url, href).href, icons }
  })
  assert.equal(manifest.name, 'Heed')
  assert.equal(manifest.start, site.url)
  assert.deepEqual(manifest.icons, [200])
  await page.close()
})

test('links the manual, the URLs of package.json, as far as there are any, and the licenses', async () => {
  const licenses = '<a href="THIRD-PARTY.txt">Third-party licenses</a>'
  const manual = '<a href="manual/">Manual</a>'
  assert.equal(linksOf({}), `<p class="links">${manual} ${licenses}</p>`)
  const both = linksOf({
    homepage: 'https://example.org/?a&"b"',
    repository: { type: 'git', url: 'git+https://example.org/heed.git' },
  })
  assert.match(both, /href="https:\/\/example\.org\/heed"/)
  assert.ok(both.includes('href="https://example.org/?a&#38;&#34;b&#34;"'))
  assert.equal(
    linksOf({ repository: 'https://example.org/source' }),
    `<p class="links">${manual} <a href="https://example.org/source">Source</a> ${licenses}</p>`,
  )
  const page = await browser.open(site.url)
  await page.click('footer a[href="THIRD-PARTY.txt"]')
  await page.waitForURL('**/THIRD-PARTY.txt')
  assert.match(await page.textContent('body'), /^heed contains parts of these works\./)
  await page.close()
})
