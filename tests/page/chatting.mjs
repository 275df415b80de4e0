// Helpers for chatting on the page with a scripted model.
import { scriptedModel } from '../support/scripted_model.mjs'
import { chooseFiles, hasModel, inTurn, openPage, sample, setBack } from './page.mjs'

/** Loads a model with a chat template, and switches to the chat. */
export async function bring(page, bytes, name = 'scripted') {
  await page.evaluate(() => {
    globalThis.kept = globalThis.heed.model
  })
  await chooseFiles(page, '#file', [{ name: `${name}.gguf`, bytes }])
  await page.waitForFunction(() => heed.model !== globalThis.kept && !document.getElementById('rooms').hidden)
  await page.check('#rooms [value=chat]')
}

/** Gives the page a model that answers with these texts, turn by turn, always in the same way. */
async function bringTurns(page, turns, options) {
  await bring(page, scriptedModel(turns, options))
  await sample(page, { temperature: '0' })
  return page
}

/** Opens the page with a model that answers with these texts, turn by turn. */
export const openChat = async (browser, url, turns, options) => bringTurns(await openPage(browser, url), turns, options)

/** The same for a page that `atBothWidths` opens or passes on. */
export async function visitChat(open, turns, options) {
  const page = await open()
  await hasModel(page)
  return bringTurns(page, turns, options)
}

/** Returns an `openChat` for the tests of a file that take turns on one page, each with a model of its own. */
export function takeTurns(browser, url) {
  const next = inTurn(() => openPage(browser, url))
  return async (turns, options) => {
    const page = await next()
    await setBack(page)
    return bringTurns(page, turns, options)
  }
}

/** Waits until the last answer is complete and the viewer shows it. */
export const answered = page =>
  page.waitForFunction(() => {
    const {
      conversation: { last },
      passage,
      attention,
    } = heed
    if (!last?.ending) return false
    const step = last.model === heed.model ? last.steps.at(-1) : undefined
    if (step?.promptIds.length + step?.generation.tokens.length > 1500) return true // shown only on request
    const isShown = step ? passage.promptTokens?.length === step.promptIds.length : true
    return last.messages.length === 0 || (isShown && attention?.rows === passage.promptTokens?.length + passage.written.length)
  })

/** The file of all conversations, which the list of them saves. */
export const exportAll = page =>
  page.evaluate(async () => {
    const { createObjectURL } = URL
    const { click } = HTMLAnchorElement.prototype
    const taken = new Promise(resolve => {
      URL.createObjectURL = blob => (resolve(blob.text()), 'about:blank')
    })
    HTMLAnchorElement.prototype.click = () => {}
    ;[...document.querySelectorAll('.history-actions button')].find(({ textContent }) => textContent === 'Export all').click()
    const file = await taken
    URL.createObjectURL = createObjectURL
    HTMLAnchorElement.prototype.click = click
    return file
  })

/** Chooses a command in the menu above the conversation. */
export async function command(page, button) {
  await page.click('#chat-more summary')
  await page.click(button)
}

/** Sends a message and waits for the answer. */
export async function say(page, text) {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForFunction(text => heed.conversation.path.value.at(-2)?.text === text, text)
  await answered(page)
}

/** The texts of the turns that are shown: messages and answers. */
export const shown = page =>
  page
    .locator('#chat-log > li')
    .evaluateAll(turns =>
      turns
        .filter(turn => turn.matches('.turn'))
        .map(turn => [...turn.querySelectorAll('.said:not([hidden]), .answer')].map(part => part.innerText.trim()).join('')),
    )

/**
 * Runs `act` in the page once, when the next answer has begun, and has at least `beginning`; from then on, the answer is
 * `globalThis.turn`.
 */
export const whenWriting = (page, act, beginning = '') =>
  page.evaluate(
    ([source, beginning]) => {
      const act = new Function(`return ${source}`)()
      let done = false
      globalThis.turn = undefined // tests take turns on one page
      heed.conversation.path.watch(path => {
        const turn = path.at(-1)
        if (done || turn?.role !== 'assistant') return
        turn.changes.watch(() => {
          if (done || turn.pieces.length === 0 || turn.ending) return
          if (
            !turn.pieces
              .map(({ text = '' }) => text)
              .join('')
              .startsWith(beginning)
          )
            return
          done = true
          globalThis.turn = turn
          requestAnimationFrame(() => act(turn))
        })
      })
    },
    [act.toString(), beginning],
  )
