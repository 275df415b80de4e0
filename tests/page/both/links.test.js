// The links of the lesson: each shows its subject, in a state of its own, and Back returns to the user's state.
import assert from 'node:assert/strict'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { bring, say } from '../chatting.mjs'
import { heldFromStart, hold } from '../held.mjs'
import { assertCalm, atBothWidths, hasModel, sample, showsAttention } from '../page.mjs'

/** Chooses the link of the lesson with this name. */
const choose = (page, name) =>
  page.evaluate(name => [...document.querySelectorAll('#lesson a')].find(link => link.ariaLabel?.startsWith(name)).click(), name)

/** The unfolded parts, in the viewer and below it, and the scroll position. */
const state = page =>
  page.evaluate(() => ({
    open: ['lens', 'edits', 'attribution'].filter(id => document.getElementById(id).open),
    panel: heed.viewer.panel ?? 'none',
    edits: document.querySelectorAll('#edit-list li').length,
    said: heed.conversation.path.value[0]?.text ?? 'nothing',
    room: document.querySelector('#rooms :checked').value,
    layer: heed.viewer.layer,
    head: heed.viewer.head,
  }))

const open = {
  layers: async page => {
    await choose(page, 'Show the layers')
    await page.waitForFunction(
      () => document.querySelector('#lens-grid [aria-selected=true]') && document.activeElement.closest('#lens'),
    )
  },
  edit: async page => {
    await choose(page, 'Make the edit')
    await page.waitForFunction(() => document.querySelector('#edits-with ins') && document.activeElement.closest('#edits'))
  },
  glance: async page => {
    await choose(page, 'Open the view: All heads at a glance')
    await page.waitForFunction(() => heed.viewer.panel === 'overview' && heed.viewer.token !== undefined)
  },
  sentences: async page => {
    await choose(page, 'Open the view: Two sentences compared')
    await page.waitForFunction(() => heed.viewer.shadowRoot.getElementById('sentence-similarity').textContent !== '')
  },
}

/** The cell of the layers that the lesson describes is visible. */
async function seesCell(page) {
  const { cell, frame, title } = await page.evaluate(() => ({
    cell: document.querySelector('#lens-grid [aria-selected=true]').getBoundingClientRect().toJSON(),
    frame: document.querySelector('.lens-frame').getBoundingClientRect().toJSON(),
    title: document.getElementById('lens-title').textContent,
  }))
  assert.match(title, /^Layer \d+, after/)
  const nameWidth = await page.evaluate(() => document.querySelector('#lens-grid tbody th').offsetWidth)
  assert.ok(cell.left >= frame.left + nameWidth && cell.right <= frame.right, JSON.stringify({ cell, frame }))
  assert.ok(cell.top >= 0 && cell.bottom <= (await page.evaluate(() => innerHeight)), JSON.stringify(cell))
}

/** Two sentences are compared. */
async function seesSentences(page) {
  const { other, whole } = await page.evaluate(() => {
    const { shadowRoot } = heed.viewer
    return {
      other: shadowRoot.getElementById('other-sentence').value,
      whole: shadowRoot.getElementById('sentence-similarity').textContent,
    }
  })
  assert.equal(other, 'The boy thanked the clever queen.')
  assert.match(whole, /similar by 0\.\d/)
}

atBothWidths('of one link after another, each shows its point, in a state of its own', async ({ open: visit }) => {
  const page = await visit()
  await hasModel(page)
  await open.layers(page)
  await seesCell(page)
  const story = (await state(page)).said
  assert.deepEqual((await state(page)).open, ['lens'])
  await open.edit(page)
  assert.deepEqual((({ open, panel, edits, said }) => ({ open, panel, edits, said }))(await state(page)), {
    open: ['edits'],
    panel: 'none',
    edits: 1,
    said: story,
  })
  await open.glance(page)
  assert.deepEqual((({ open, panel, edits, room }) => ({ open, panel, edits, room }))(await state(page)), {
    open: [],
    panel: 'overview',
    edits: 0,
    room: 'text',
  })
  await open.sentences(page)
  await seesSentences(page)
  await open.layers(page)
  await seesCell(page)
  assert.deepEqual((({ open, panel, room }) => ({ open, panel, room }))(await state(page)), {
    open: ['lens'],
    panel: 'none',
    room: 'chat',
  })
  assertCalm(page)
})

atBothWidths('a link to a conversation with tools shows the same token to who has none on', async ({ open: visit }) => {
  const page = await visit()
  await hasModel(page)
  await sample(page, { temperature: '0' })
  await page.click('#tools-button')
  await page.check('#tool-list [value=calculate]')
  await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
  const name = await page.evaluate(async () => {
    navigator.clipboard.writeText = async text => {
      globalThis.taken = text
    }
    heed.viewer.layer = 2
    heed.viewer.token = heed.passage.promptTokens.length
    await heed.viewer.settled()
    document.getElementById('chat-link').click()
    return heed.passage.written[0].text
  })
  await page.waitForFunction(() => globalThis.taken)
  assert.match(await page.evaluate(() => globalThis.taken), /&token=\d+$/)
  const other = await visit(new URL(await page.evaluate(() => globalThis.taken)).hash)
  await other.waitForFunction(() => globalThis.heed?.viewer.token !== undefined && heed.conversation.path.value.length === 2)
  const { text, tokens, tools } = await other.evaluate(() => ({
    text: heed.passage.promptTokens[heed.viewer.token + 1].text, // this row is the one that it was chosen from
    tokens: heed.passage.promptTokens.length,
    tools: document.getElementById('tools-button').textContent,
  }))
  assert.equal(text, name)
  assert.equal(tools, 'Tools')
  // Who copies the link again passes on the same token.
  const again = await other.evaluate(async () => {
    const taken = new Promise(resolve => {
      navigator.clipboard.writeText = async text => resolve(text)
    })
    document.getElementById('chat-link').click()
    return taken
  })
  assert.equal(/&token=\d+$/.exec(again)[0], /&token=\d+$/.exec(await page.evaluate(() => globalThis.taken))[0])
  assert.ok(tokens < (await page.evaluate(() => heed.passage.promptTokens.length)), 'tools are many tokens')
  assertCalm(page)
  assertCalm(other)
})

/** Copies the link to the conversation, and resolves to its hash. */
const hashOfChat = async page =>
  new URL(
    await page.evaluate(
      () =>
        new Promise(resolve => {
          navigator.clipboard.writeText = async text => resolve(text)
          document.getElementById('chat-link').click()
        }),
    ),
  ).hash

atBothWidths(
  'a link to a conversation has the format of its answers, and one without a format asks for any text',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await sample(page, { temperature: '0' })
    await say(page, 'What can you do?')
    const free = await hashOfChat(page)
    await page.click('#form-button')
    await page.selectOption('#form', '0')
    await say(page, 'Is it?')
    const yesOrNo = await hashOfChat(page)
    const schema = '{ "enum": ["a & b", "a = b"] }'
    await page.fill('#form-schema', schema)
    await say(page, 'Which?')
    const own = await hashOfChat(page)

    const other = await open(own)
    const showsFormat = (label, turns) =>
      other.waitForFunction(
        ([label, turns]) =>
          document.getElementById('form-button').textContent === label && globalThis.heed?.conversation.path.value.length === turns,
        [label, turns],
      )
    const follow = hash =>
      other.evaluate(hash => {
        location.hash = hash
      }, hash)
    await hasModel(other)
    await showsFormat('Format: JSON by your schema', 6)
    assert.equal(await other.inputValue('#form-schema'), schema)
    await say(other, 'Which one?')
    assert.match(await other.evaluate(() => heed.conversation.last.messages[0].content), /^"a [&=] b"$/)
    await follow(yesOrNo)
    await showsFormat('Format: Yes or no', 4)
    assert.match(await other.inputValue('#form-schema'), /"yes"/)
    await follow(free)
    await showsFormat('Format', 2)
    await other.evaluate(() => history.go(-2))
    await showsFormat('Format: JSON by your schema', 8)
    assert.equal(await other.inputValue('#form-schema'), schema)
    assertCalm(page)
    assertCalm(other)
  },
)

atBothWidths('that a link was copied is said for a while, and that it was not until something else is said', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await say(page, 'What can you do?')
  // The ends of the while, when the test says so.
  await page.evaluate(() => {
    const { setTimeout } = globalThis
    globalThis.ends = []
    globalThis.setTimeout = (end, ms, ...given) => (ms === 8000 ? globalThis.ends.push(end) : setTimeout(end, ms, ...given))
  })
  /** Copies the link, or fails to, and resolves to what is said of that. */
  const copy = async isAllowed => {
    await page.evaluate(isAllowed => {
      document.querySelector('.model-turn .found').textContent = ''
      navigator.clipboard.writeText = async () => {
        if (!isAllowed) throw new Error('not allowed')
      }
      document.querySelector('.model-turn [aria-label="Copy link to this answer"]').click()
    }, isAllowed)
    await page.waitForFunction(() => document.querySelector('.model-turn .found').textContent !== '')
    return page.textContent('.model-turn .found')
  }
  /** Ends the first while that has not ended, and resolves to what is then said. */
  const end = () =>
    page.evaluate(() => {
      globalThis.ends.shift()()
      return document.querySelector('.model-turn .found').textContent
    })
  assert.equal(await copy(true), 'Link copied.')
  assert.equal(await copy(true), 'Link copied.')
  assert.equal(await end(), 'Link copied.', 'the second one, whose while has not ended')
  assert.equal(await end(), '')
  assert.match(await copy(false), /^The browser does not let the page copy/)
  assert.equal(await page.evaluate(() => globalThis.ends.length), 0)
  assertCalm(page)
})

atBothWidths(
  "Back from links, also to another model, leads to the user's conversation, texts and prompt",
  async ({ open: visit }) => {
    const page = await visit()
    await hasModel(page)
    await page.check('#rooms [value=text]')
    await page.fill('#prompt', 'a fox')
    await page.click('#write')
    await page.waitForFunction(() => heed.versions.current?.outcome)
    await page.fill('#prompt', 'a whale')
    await page.check('#rooms [value=chat]')
    await say(page, 'What can you do?')
    await page.evaluate(() => {
      heed.viewer.layer = 2
      heed.viewer.panel = 'heads'
    })
    await open.edit(page)
    await open.sentences(page)
    await open.glance(page)
    for (const _ of Array(3))
      await page.evaluate(
        () =>
          new Promise(resolve => {
            addEventListener('hashchange', resolve, { once: true })
            history.back()
          }),
      )
    await page.waitForFunction(
      () => heed.model.info.name === 'heed-stories' && heed.viewer.panel === 'heads' && heed.conversation.path.value.length === 2,
    )
    const { open: opened, said, room, layer } = await state(page)
    assert.deepEqual({ opened, said, room, layer }, { opened: [], said: 'What can you do?', room: 'chat', layer: 2 })
    await page.check('#rooms [value=text]')
    assert.deepEqual(
      await page.evaluate(() => [
        document.getElementById('prompt').value,
        heed.versions.list.value.map(({ passage }) => passage.value.prompt),
      ]),
      ['a whale', ['a fox']],
    )
    assertCalm(page)
  },
)

atBothWidths('a task of the lesson begins a conversation, and the one before can be had again', async ({ open: visit }) => {
  const page = await visit()
  await hasModel(page)
  await say(page, 'What can you do?')
  await open.edit(page)
  await page.click('#lesson-tasks button')
  assert.deepEqual(
    await page.evaluate(() => [heed.conversation.path.value.length, document.getElementById('message').value.includes('lantern')]),
    [0, true],
  )
  await page.evaluate(
    () =>
      new Promise(resolve => {
        addEventListener('hashchange', resolve, { once: true })
        history.back()
      }),
  )
  await page.waitForFunction(() => heed.conversation.path.value[0]?.text === 'What can you do?')
  await page.click('#lesson-tasks button')
  assert.equal(await page.evaluate(() => heed.conversation.path.value.length), 0)
  await page.click('#chat-note button')
  await page.waitForFunction(() => heed.conversation.path.value[0]?.text === 'What can you do?')
  assertCalm(page)
})

atBothWidths(
  'a link’s text is there before its model is, which holds for that model: with another one, a reload opens that one',
  async ({ open }) => {
    const page = await open('#prompt=The%20fox&layer=2')
    await page.waitForFunction(() => document.getElementById('prompt').value === 'The fox')
    assert.equal(await page.evaluate(() => globalThis.heed?.model), undefined)
    await hold(page)
    await showsAttention(page)
    assert.equal(await page.inputValue('#prompt'), 'The fox')
    await page.waitForFunction(() => globalThis.heed.viewer.layer === 1 && history.state?.room === 'text')
    await bring(page, scriptedModel(['Yes.', 'No.']), 'my model')
    assert.equal(await page.evaluate(() => location.hash), '')
    await page.reload()
    await hold(page)
    await hasModel(page)
    await page.waitForFunction(() => document.getElementById('keep-why').textContent.includes('my model.gguf'))
    assertCalm(page)
  },
  heldFromStart,
)

atBothWidths(
  'what a link of the lesson unfolds is in the window with all that it has and, above it, as much as there is room for',
  async ({ open: visit }) => {
    const page = await visit()
    await hasModel(page)
    await page.waitForSelector('#lesson-inside a', { state: 'attached' })
    const parts = {
      lens: ['Show the layers', '#lens-alternatives li'],
      edits: ['Make the edit', '#edits-with ins'],
      sweep: ['Where it is decided', '#sweep td'],
      features: ['Features of each token', '#features td'],
      compare: ['What did quantizing change?', '#compare td'],
    }
    for (const [id, [name, content]] of Object.entries(parts)) {
      await page.evaluate(
        name => [...document.querySelectorAll('#lesson a')].find(({ textContent }) => textContent === name).click(),
        name,
      )
      // The focus moves there last.
      await page.waitForFunction(
        ([id, content]) => document.activeElement.closest(`#${id}`) && document.querySelector(content),
        [id, content],
      )
      const { top, bottom, height } = await page.evaluate(id => {
        const { top, bottom } = document.getElementById(id).getBoundingClientRect()
        return { top, bottom, height: innerHeight }
      }, id)
      const isAligned = bottom - top < height ? Math.abs(bottom - height) < 2 : Math.abs(top) < 2
      assert.ok(isAligned, `${name}: ${top} to ${bottom} of ${height}`)
    }
    assertCalm(page)
  },
)

atBothWidths('the maps of all heads begin below the map that stays in view, with their heading', async ({ open: visit }) => {
  const page = await visit()
  await hasModel(page)
  await page.waitForSelector('#lesson a[href*=panel]', { state: 'attached' })
  await choose(page, 'Open the view: All heads at a glance')
  await page.waitForFunction(() => heed.viewer.shadowRoot.activeElement?.closest('#overview'))
  const { map, heading, height } = await page.evaluate(() => {
    const { shadowRoot } = heed.viewer
    return {
      map: shadowRoot.getElementById('map').getBoundingClientRect().bottom,
      heading: shadowRoot.querySelector('#overview summary').getBoundingClientRect().top,
      height: innerHeight,
    }
  })
  assert.ok(heading >= map - 1 && heading < height - 100, `${heading}, below ${map}, of ${height}`)
  assertCalm(page)
})

atBothWidths('the features of the token of a link are in the window', async ({ open: visit }) => {
  const page = await visit()
  await hasModel(page)
  await page.waitForSelector('#lesson a[href*=features]', { state: 'attached' })
  await choose(page, 'Open the view: Features of each token')
  await page.waitForFunction(() => document.activeElement.closest('#features') && document.querySelector('#features td'))
  const { left, right, width } = await page.evaluate(() => {
    const { left, right } = document.querySelectorAll('#features thead th')[heed.viewer.token + 1].getBoundingClientRect()
    return { left, right, width: innerWidth }
  })
  assert.ok(left > 0 && right < width, `${left} to ${right} of ${width}`)
  assertCalm(page)
})
