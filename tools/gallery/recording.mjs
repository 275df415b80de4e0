// What the recording shows: a question is typed and answered, and the page shows where the model found the answer.
import { camera } from './capture.mjs'
import { settled } from './scenes.mjs'

const question = 'A fox named Pip lost a lantern near the river. An owl called Ada found it. Who found the lantern?'

/** How long pictures are shown: while words are typed, while the answer is read, and in the end. */
const [typingMs, readingMs, lastMs] = [260, 1400, 3000]
const wordsAtOnce = 3

/** Resolves to the frames, {image, ms}: one for every few words that are typed, one for the answer, and one for where it was found. */
export async function record(page) {
  const take = await camera(page, { quality: 45, scale: 0.6 })
  const frames = [{ image: await take(), ms: readingMs }]
  const add = async ms => frames.push({ image: await take(), ms })
  await page.focus('#message')
  for (const words of question.match(new RegExp(`(?:\\S+\\s*){1,${wordsAtOnce}}`, 'g'))) {
    await page.keyboard.insertText(words)
    await add(typingMs)
  }
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending)
  await settled(page)
  await add(readingMs)
  await page.getByRole('button', { name: 'Where did it find that?' }).last().click()
  await settled(page)
  await add(lastMs)
  return frames
}
