// Hands to chat with on the page: with a model that says what a script says.
import { scriptedModel } from '../support/scripted_model.mjs'
import { openPage, sample } from './page.mjs'

/** Brings a model that chats, and turns to its chat. */
export async function bring(page, bytes, name = 'scripted') {
  await page.evaluate(() => { globalThis.kept = globalThis.heed.model })
  await page.setInputFiles('#file', { name: `${name}.gguf`, mimeType: '', buffer: bytes })
  await page.waitForFunction(() => heed.model !== globalThis.kept && !document.getElementById('rooms').hidden)
  await page.check('#rooms [value=chat]')
}

/** Opens the page with a model that says these texts, turn by turn. */
export async function openChat(browser, url, turns, options) {
  const page = await openPage(browser, url)
  await bring(page, scriptedModel(turns, options))
  await sample(page, { temperature: '0' })
  return page
}

/** Waits until the last answer is there, and the viewer shows it. */
export const answered = page => page.waitForFunction(() => {
  const { conversation: { last }, passage, attention } = heed
  if (!last?.ending) return false
  const step = last.model === heed.model ? last.steps.at(-1) : undefined
  if (step?.promptIds.length + step?.generation.tokens.length > 1500) return true  // shown only when asked for
  const isShown = step ? passage.promptTokens?.length === step.promptIds.length : true
  return last.messages.length === 0 || isShown && attention?.rows === passage.promptTokens?.length + passage.written.length
})

/** Says something, and waits for the answer. */
export async function say(page, text) {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForFunction(text => heed.conversation.path.value.at(-2)?.text === text, text)
  await answered(page)
}

/** The turns as they are shown: what was said, and what was answered. */
export const shown = page => page.locator('#chat-log > li').evaluateAll(turns =>
  turns.filter(turn => turn.matches('.turn')).map(turn => [...turn.querySelectorAll('.said:not([hidden]), .answer')].map(part => part.innerText.trim()).join('')))

/** Waits for the page to be at a state of the last answer, then does something to it at once. */
export const whenWriting = (page, act) => page.evaluate(source => {
  const act = new Function(`return ${source}`)()
  let done = false
  heed.conversation.path.watch(path => {
    const turn = path.at(-1)
    if (done || turn?.role !== 'assistant') return
    turn.changes.watch(() => {
      if (done || turn.pieces.length === 0 || turn.ending) return
      done = true
      requestAnimationFrame(() => act(turn))
    })
  })
}, act.toString())
