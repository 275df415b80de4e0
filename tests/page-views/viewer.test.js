// heed/viewer in a user's own page: under a strict policy, only by its properties, methods and events.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { goldenBytes, goldenPicture } from '../support/golden.mjs'
import { assertCalm, inTurn, startRepeatableBrowser } from '../page/page.mjs'

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
const prompt = 'Write a story about a fox and a lantern.'

const folder = mkdtempSync(join(tmpdir(), 'heed-viewer-'))
cpSync(inRoot('dist'), join(folder, 'heed'), { recursive: true })
cpSync(inRoot('web/public/icon.svg'), join(folder, 'icon.svg'))
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><html lang="en"><title>A page of one's own</title>
  <link rel="icon" href="icon.svg"><script type="module" src="own.js"></script><heed-viewer id="markup"></heed-viewer>`,
)
writeFileSync(
  join(folder, 'own.js'),
  `import { loadModel } from './heed/index.js'
  import { defineViewer, HeedViewer } from './heed/viewer.js'
  Object.assign(globalThis, { defineViewer, HeedViewer, loadModel })`,
)
for (const name of ['vit', 'bert', 'gemma2', 'gpt-oss', 'bloom']) writeFileSync(join(folder, `${name}.gguf`), goldenBytes(name))
const server = await serve(folder, { headers: { 'Content-Security-Policy': policy } })
const browser = await startRepeatableBrowser()
after(async () => {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const nextPage = inTurn(async () => {
  const page = await browser.open(server.url)
  await page.waitForFunction(() => globalThis.HeedViewer)
  return page
})

/** The page with a new viewer that has a model from `source`, or the bundled one, which is loaded once. */
async function openViewer(source) {
  const page = await nextPage()
  await page.evaluate(async source => {
    const { viewer: old } = globalThis
    old?.remove()
    if (old?.model !== globalThis.bundled) await old?.model.dispose()
    document.documentElement.removeAttribute('style')
    const viewer = (globalThis.viewer = new HeedViewer())
    globalThis.events = []
    for (const type of [
      'tokenselect',
      'layerchange',
      'headchange',
      'kindchange',
      'pacechange',
      'tokenwrite',
      'writeend',
      'error',
    ]) {
      viewer.addEventListener(type, () => events.push(type))
    }
    document.body.append(viewer)
    viewer.model = source ? await loadModel(source) : (globalThis.bundled ??= await loadModel())
    events.length = 0
  }, source)
  return page
}

test('generates, and shows the attention of the text', async () => {
  const page = await openViewer()
  const shown = await page.evaluate(async prompt => {
    const { text, seed } = await viewer.generate(prompt, { seed: 5, maxTokens: 12 })
    viewer.layer = 2
    viewer.head = 3
    await viewer.settled()
    viewer.token = 14
    const { attention, passage } = viewer
    return {
      text,
      seed,
      events,
      layer: attention.layer,
      weights: [...attention.weights(3)],
      token: viewer.token,
      ids: attention.tokens.map(({ id }) => id),
      written: passage.written.map(token => token.text).join(''),
      content: viewer.shadowRoot.querySelector('.subject').textContent,
    }
  }, prompt)
  const model = await loadModel()
  const { text, tokens } = await model.generate(prompt, { seed: 5, maxTokens: 12 })
  const ids = [...(await model.tokenize(prompt)), ...tokens.map(({ id }) => id)]
  const {
    weights: [[expected]],
  } = await model.attention(ids, { layers: [2], heads: [3] })
  const given = (await model.tokenize(prompt)).length
  await model.dispose()
  assert.deepEqual([shown.text, shown.written, shown.seed, shown.layer, shown.token], [text, text, 5, 2, 14])
  assert.deepEqual(shown.ids, ids)
  assert.deepEqual(shown.weights, [...expected])
  assert.equal(shown.content, tokens[14 - given].text)
  assert.deepEqual(shown.events, [...tokens.map(() => 'tokenwrite'), 'writeend', 'layerchange', 'headchange', 'tokenselect'])
  assertCalm(page)
  await page.close()
})

test('reports another pace, which was set or chosen', async () => {
  const page = await openViewer()
  const events = await page.evaluate(async prompt => {
    await viewer.generate(prompt, { seed: 5, maxTokens: 4 })
    events.length = 0
    viewer.pace = 'slow'
    viewer.pace = 'slow'
    viewer.shadowRoot.querySelector('input[name=pace][value=instant]').click()
    return events.filter(type => type === 'pacechange')
  }, prompt)
  assert.deepEqual(events, ['pacechange', 'pacechange'])
  assertCalm(page)
  await page.close()
})

test('marks tokens that a draft proposed, with a legend, only if there are some', async () => {
  const page = await openViewer()
  const [plain, drafted] = await page.evaluate(async prompt => {
    await viewer.generate(prompt, { seed: 5, maxTokens: 6 })
    const look = async () => {
      const { passage, shadowRoot } = viewer
      const notes = []
      for (const place of [1, 2]) {
        viewer.token = passage.promptTokens.length + place
        await viewer.settled()
        notes.push(shadowRoot.querySelector('#card-note').textContent)
      }
      return {
        marked: [...shadowRoot.querySelectorAll('.written')].map(token => token.matches('.drafted')),
        legend: shadowRoot.querySelector('.drafts-note').checkVisibility(),
        notes: notes.filter(note => note.includes('draft')).length,
      }
    }
    const without = await look()
    const written = viewer.passage.written.map((token, at) => (at === 2 ? { ...token, draft: 1 } : token))
    await viewer.show({ ...viewer.passage, written: written.slice(0, 2) })
    await viewer.show({ ...viewer.passage, written })
    return [without, await look()]
  }, prompt)
  assert.deepEqual(plain, { marked: Array(6).fill(false), legend: false, notes: 0 })
  assert.deepEqual(drafted, { marked: [false, false, true, false, false, false], legend: true, notes: 1 })
  assertCalm(page)
  await page.close()
})

test('shows a multi-token character whole, in its first token, and bytes that form none as they are', async () => {
  const page = await openViewer()
  const [foxes, bytes] = await page.evaluate(async () => {
    // Only the four bytes of a fox are allowed: first two foxes, then any order, whatever the model predicts.
    const fox = await viewer.model.tokenize('🦊', { addSpecial: false })
    const logitBias = Object.fromEntries(
      Array.from({ length: viewer.model.info.vocabulary }, (_, id) => [id, fox.includes(id) ? 0 : -Infinity]),
    )
    const write = async options => {
      const { text, tokens } = await viewer.generate('a', {
        seed: 5,
        temperature: 2,
        topK: 0,
        topP: 1,
        minP: 0,
        logitBias,
        ...options,
      })
      const given = viewer.passage.promptTokens.map(({ id }) => id)
      const names = (await viewer.model.attention([...given, ...tokens.map(({ id }) => id)], { layers: [0] })).tokens
      const written = [...viewer.shadowRoot.querySelectorAll('.written')]
      return {
        text,
        parts: viewer.passage.written.map(({ part }) => part ?? null),
        expected: names.slice(given.length).map(({ part }) => part ?? null),
        shown: written.filter(token => token.dataset.part).map(token => [token.textContent, token.dataset.part]),
      }
    }
    return [
      await write({ maxTokens: 16, constraint: await viewer.model.compile({ regex: '🦊{2}' }) }),
      await write({ maxTokens: 120, stopAtEnd: false }),
    ]
  })
  assert.equal(foxes.text, '🦊🦊')
  const whole = [
    ['🦊', '1/4'],
    ['', '2/4'],
    ['', '3/4'],
    ['', '4/4'],
  ]
  assert.deepEqual(foxes.shown, [...whole, ...whole])
  for (const { parts, expected, shown } of [foxes, bytes]) {
    assert.deepEqual(parts, expected)
    assert.equal(shown.length, expected.filter(part => part).length)
  }
  await page.close()
})

test('shows an earlier passage, or one that grows with tokens from another source', async () => {
  const page = await openViewer()
  const shown = await page.evaluate(async prompt => {
    const { tokenizePassage, tokensOf } = await import('./heed/viewer.js')
    await viewer.generate(prompt, { seed: 5, maxTokens: 12 })
    const { passage } = viewer
    const weights = () => [...viewer.attention.weights('mean')]
    const before = weights()
    const session = await viewer.model.session()
    let other = await tokenizePassage(viewer.model, { prompt: 'a fox', written: [] })
    const sizes = []
    for await (const token of session.generate(
      tokensOf(other).map(({ id }) => id),
      { seed: 1, maxTokens: 6, topLogprobs: 3 },
    )) {
      other = { ...other, written: [...other.written, token] }
      viewer.grow(other)
      sizes.push(viewer.shadowRoot.querySelectorAll('#passage .written').length)
    }
    const { tokens } = session
    await viewer.show(other)
    const grown = viewer.attention.tokens.map(({ id }) => id)
    await viewer.show(passage)
    return { sizes, grown, tokens, same: `${weights()}` === `${before}`, written: viewer.passage.written.length }
  }, prompt)
  assert.deepEqual(shown.sizes, [1, 2, 3, 4, 5, 6])
  assert.deepEqual(shown.grown, shown.tokens)
  assert.ok(shown.same)
  assert.equal(shown.written, 12)
  assertCalm(page)
  await page.close()
})

test('compares two passages: marks what is common, and reports clicks in the other one', async () => {
  const page = await openViewer()
  const shown = await page.evaluate(async prompt => {
    await viewer.generate(prompt, { seed: 5, maxTokens: 12 })
    const one = viewer.passage
    const two = { ...one, written: [...one.written.slice(0, 4), ...one.written.slice(6)] }
    const root = viewer.shadowRoot
    const count = selector => root.querySelectorAll(selector).length
    const turns = []
    viewer.addEventListener('turn', ({ detail }) => turns.push(detail))
    viewer.compare({ passage: two, names: ['one', 'two'] })
    const common = [count('#passage .common'), count('#other .common')]
    root.querySelector('#other-token-3').click()
    const order = [...root.querySelectorAll('[role=listbox]')].map(({ id }) => id)
    viewer.compare({ passage: two, names: ['one', 'two'], isFirst: true })
    const turned = [...root.querySelectorAll('[role=listbox]')].map(({ id }) => id)
    const note = root.querySelector('#compare-note').textContent
    viewer.compare(undefined)
    return { common, turns, order, turned, note, after: count('.common'), alike: one.promptTokens.length + 4 }
  }, prompt)
  assert.deepEqual(shown.common, [shown.alike, shown.alike])
  assert.deepEqual(shown.turns, [3])
  assert.deepEqual(
    [shown.order, shown.turned],
    [
      ['passage', 'other'],
      ['other', 'passage'],
    ],
  )
  assert.match(shown.note, new RegExp(`^The first ${shown.alike} tokens are the same in both; then one has “.*”, and two “.*”\\.$`))
  assert.equal(shown.after, 0)
  assertCalm(page)
  await page.close()
})

test("shows the page's content in the card while a token is held", async () => {
  const page = await openViewer()
  const seen = await page.evaluate(async () => {
    await viewer.show('a fox and a hen')
    const button = Object.assign(document.createElement('button'), { slot: 'token', textContent: 'do it' })
    viewer.append(button)
    await new Promise(resolve => {
      setTimeout(resolve)
    })
    const states = []
    const see = () => states.push(button.checkVisibility({ visibilityProperty: true }))
    see()
    viewer.token = 2
    see()
    viewer.token = undefined
    see()
    return states
  })
  assert.deepEqual(seen, [false, true, false])
  assertCalm(page)
  await page.close()
})

test('uses the colors that the page sets', async () => {
  const page = await openViewer()
  const [before, after] = await page.evaluate(async () => {
    await viewer.show('a fox')
    const color = () => getComputedStyle(viewer.shadowRoot.querySelector('.viewer')).color
    const before = color()
    viewer.style.setProperty('--heed-ink', 'rgb(1, 2, 3)')
    return [before, color()]
  })
  assert.notEqual(before, after)
  assert.equal(after, 'rgb(1, 2, 3)')
  await page.close()
})

test("follows the page's color-scheme", async () => {
  const page = await openViewer()
  const [light, dark] = await page.evaluate(() =>
    ['light', 'dark'].map(scheme => {
      document.documentElement.style.colorScheme = scheme
      return getComputedStyle(viewer.shadowRoot.querySelector('.viewer')).color
    }),
  )
  assert.notEqual(light, dark)
  await page.close()
})

test('rejects invalid values by name', async () => {
  const page = await openViewer()
  const messages = await page.evaluate(async () => {
    const failing = [
      () => {
        viewer.layer = 99
      },
      () => {
        viewer.head = -1
      },
      () => {
        viewer.head = 'median'
      },
      () => {
        viewer.kind = 'cross'
      },
      () => {
        viewer.pace = 'fast'
      },
      () => {
        viewer.token = 99
      },
      () => viewer.mapImage(),
      () => viewer.showImage(new ImageData(2, 2)),
      () => viewer.generate('a', { temprature: 1 }),
      () => new HeedViewer().show('a'),
    ]
    return Promise.all(
      failing.map(async fail => {
        try {
          await fail()
          return 'nothing'
        } catch (error) {
          return error.message
        }
      }),
    )
  })
  for (const [index, word] of [
    /layer: 99 is out of range/,
    /head: -1 is out of range/,
    /head: median is out of range/,
    /kind.*cross/,
    /pace fast/,
    /99/,
    /no heat map/,
    /does not accept images/,
    /temprature/,
    /no model is set/,
  ].entries())
    assert.match(messages[index], word)
  await page.close()
})

test('a generation is ended by stop(), by a signal and by another generation', async () => {
  const page = await openViewer()
  const reasons = await page.evaluate(async prompt => {
    const options = { temperature: 2, topK: 0, topP: 1, minP: 0, maxTokens: 400, stopAtEnd: false }
    const reasons = []
    const ends = async act => {
      let count = 0
      const listener = () => {
        if (++count === 3) act()
      }
      viewer.addEventListener('tokenwrite', listener)
      const { finishReason, tokens } = await viewer.generate(prompt, { ...options, signal: controller.signal })
      viewer.removeEventListener('tokenwrite', listener)
      reasons.push([finishReason, viewer.passage.written.length, tokens.length])
    }
    const controller = new AbortController()
    await ends(() => viewer.stop())
    await ends(() => controller.abort())
    events.length = 0
    const first = viewer.generate(prompt, options)
    const second = viewer.generate(prompt, { seed: 5, maxTokens: 12 })
    reasons.push([(await first).finishReason], [(await second).finishReason, viewer.passage.written.length])
    reasons.push(events.filter(type => type === 'writeend'))
    return reasons
  }, prompt)
  assert.deepEqual(reasons, [['abort', 3, 3], ['abort', 3, 3], ['abort'], ['length', 12], ['writeend']])
  assertCalm(page)
  await page.close()
})

test('removing the element ends its generation; moving it does not', async () => {
  const page = await openViewer()
  const reasons = await page.evaluate(async prompt => {
    const options = { temperature: 2, topK: 0, topP: 1, minP: 0, maxTokens: 30, stopAtEnd: false }
    const reasons = []
    for (const act of [() => document.body.prepend(viewer), () => viewer.remove()]) {
      viewer.addEventListener('tokenwrite', act, { once: true })
      reasons.push((await viewer.generate(prompt, options)).finishReason)
    }
    return reasons
  }, prompt)
  assert.deepEqual(reasons, ['length', 'abort'])
  assertCalm(page)
  await page.close()
})

test('upgrades an element in markup once defined; defining it again does nothing', async () => {
  const page = await browser.open(server.url)
  await page.waitForFunction(() => globalThis.HeedViewer)
  assert.ok(
    await page.evaluate(() => {
      const element = document.getElementById('markup')
      const before = element instanceof HeedViewer
      defineViewer()
      defineViewer()
      return !before && element instanceof HeedViewer && element.shadowRoot.querySelector('canvas') !== null
    }),
  )
  assertCalm(page)
  await page.close()
})

test('models that only read, and models that see, in the same viewer', async () => {
  const page = await openViewer('bert.gguf')
  const { width, height, data } = goldenPicture()
  const shown = await page.evaluate(
    async ({ width, height, data }) => {
      await viewer.show('the fox')
      const read = [viewer.kind, viewer.attention.tokens.length > 2]
      const old = viewer.model
      viewer.model = await loadModel('vit.gguf')
      await old.dispose()
      const image = new ImageData(Uint8ClampedArray.from(data), width, height)
      await viewer.showImage(image)
      viewer.token = 3
      return { read, patches: viewer.attention.patches, expected: viewer.model.info.patches, token: viewer.token }
    },
    { width, height, data: [...data] },
  )
  assert.deepEqual(shown.read, ['encoder', true])
  assert.equal(shown.patches, shown.expected)
  assert.equal(shown.token, 3)
  assertCalm(page)
  await page.close()
})

test('inside a weight: each step that a family has, down to the weight', async () => {
  for (const [name, step] of [
    ['bert', undefined],
    ['gemma2', /soft cap, .* tanh/],
    ['gpt-oss', /for the sink, a learned score of/],
    ['bloom', /for the distance/],
  ]) {
    const page = await openViewer(`${name}.gguf`)
    const { steps, rows, weight, shares } = await page.evaluate(async () => {
      const ids = [5, 6, 7, 8, 9]
      await viewer.show({ prompt: '', promptTokens: ids.map(id => ({ id, text: `t${id}` })), written: [] })
      Object.assign(viewer, { head: 1, layer: 0 })
      await viewer.settled()
      Object.assign(viewer, { token: 3, panel: 'inside' })
      const root = viewer.shadowRoot
      await new Promise(resolve => {
        const seen = () => (root.querySelector('#weight-steps').children.length > 0 ? resolve() : requestAnimationFrame(seen))
        seen()
      })
      const { from, weights } = await viewer.model.attentionParts(ids, { layer: 0, head: 1, query: 3 })
      return {
        steps: [...root.querySelectorAll('#weight-steps li')].map(item => item.textContent),
        rows: [...root.querySelectorAll('.scores tbody tr')].map(row => row.innerText.split('\t').at(-1)),
        weight: Math.max(...weights),
        shares: [...weights],
        from,
      }
    })
    const said = text => Number.parseFloat(text.replace('< ', '')) / 100
    assert.equal(
      steps.some(text => /soft cap|sink|distance/.test(text)),
      step !== undefined,
      name,
    )
    if (step)
      assert.ok(
        steps.some(text => step.test(text)),
        `${name}: ${steps}`,
      )
    assert.ok(Math.abs(said(/= ([^=]*) %, the weight\.$/.exec(steps.at(-1))[1]) - weight) < 6e-4, `${name}: ${steps.at(-1)}`)
    shares.forEach((share, row) => assert.ok(Math.abs(said(rows[row]) - share) < 1.1e-3, `${name}: ${rows}`))
    assert.equal(rows.at(-1), '100 %')
    assertCalm(page)
    await page.close()
  }
})

test('two sentences compared: by token and as a whole, as the encoder embeds them', async () => {
  const page = await openViewer('bert.gguf')
  const { said, whole, cosines, expected, hidden } = await page.evaluate(async () => {
    const root = viewer.shadowRoot
    await viewer.show('the fox')
    viewer.panel = 'sentences'
    root.querySelector('#other-sentence').value = 'a fox'
    root.querySelector('#two-sentences form').requestSubmit()
    await new Promise(resolve => {
      const seen = () => (root.querySelector('#sentence-similarity').textContent ? resolve() : requestAnimationFrame(seen))
      seen()
    })
    const { similarity } = await import('./heed/index.js')
    const [one, other] = await viewer.model.embed(['the fox', 'a fox'])
    const [rows, columns] = await viewer.model.embed(['the fox', 'a fox'], { pooling: 'none' })
    const width = viewer.model.info.embeddingLength
    const canvas = root.querySelector('#similarity-map')
    const press = key => canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) press(key)
    return {
      said: root.querySelector('#speech').textContent,
      whole: root.querySelector('#sentence-similarity').textContent,
      expected: similarity(one, other),
      cosines: similarity(rows.subarray(width, 2 * width), columns.subarray(width, 2 * width)),
      hidden: ['#drawing-lots'].map(id => root.querySelector(id).hidden),
    }
  })
  const numberIn = text => Number.parseFloat(text.replace('\u2212', '-').replace(/^[^\d-]*/, ''))
  assert.ok(Math.abs(numberIn(whole.split(' by ')[1]) - expected) < 6e-3, `${whole}: ${expected}`)
  assert.match(said, /^“.*” and “.*”: /)
  assert.ok(Math.abs(numberIn(said.split(': ').at(-1)) - cosines) < 6e-3, `${said}: ${cosines}`)
  assert.deepEqual(hidden, [true], 'an encoder draws no tokens')
  assertCalm(page)
  await page.close()
})

test('exports the heat map as a PNG', async () => {
  const page = await openViewer()
  const { type, wide, canvas } = await page.evaluate(async () => {
    await viewer.show('a fox and a hen')
    const blob = await viewer.mapImage()
    const bitmap = await createImageBitmap(blob)
    return { type: blob.type, wide: bitmap.width, canvas: viewer.shadowRoot.querySelector('#heat-map').width }
  })
  assert.equal(type, 'image/png')
  assert.ok(wide > canvas)
  await page.close()
})

test('can be imported in Node, where errors say what is missing', async () => {
  const { defineViewer, HeedViewer } = await import('heed/viewer')
  assert.throws(() => defineViewer(), /custom elements are not available/)
  assert.throws(() => new HeedViewer(), /custom elements are not available/)
})

for (const [module, resolution] of [
  ['ESNext', 'bundler'],
  ['NodeNext', 'nodenext'],
]) {
  test(`its types accept valid code and reject invalid code: ${resolution}`, () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [
        inRoot('node_modules/typescript/bin/tsc'),
        '--noEmit',
        '--strict',
        '--target',
        'ES2022',
        '--types',
        '',
        '--module',
        module,
        '--moduleResolution',
        resolution,
        inRoot('tests/page-views/viewer-types.ts'),
      ],
      { encoding: 'utf8' },
    )
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}
