// Reads the text of a tab's page, and divides it into parts.
/// <reference types="chrome" />
import type { Model } from 'heed'

export interface PageText {
  readonly title: string
  readonly text: string
}

/** The visible text of the page's main part. Runs in the page, so it must not use anything outside of this function. */
function readHere(): PageText {
  const main = document.querySelector<HTMLElement>('article, main, [role="main"]') ?? document.body
  return { title: document.title, text: main.innerText }
}

/** Reads the page of a tab. Fails for pages that extensions may not read, such as the browser's own. */
export async function readTab(tabId: number): Promise<PageText> {
  const results = await chrome.scripting.executeScript({ target: { tabId }, func: readHere }).catch(() => [])
  const page = results[0]?.result
  if (!page) throw new Error('This page cannot be read. Click the icon of the extension on the page once more, and try again.')
  if (!page.text.trim()) throw new Error('This page has no text.')
  return page
}

/** Divides a text between paragraphs into parts of at most `most` tokens. A longer paragraph is cut off. */
export async function partsOf(model: Model, text: string, most: number): Promise<string[]> {
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const paragraph of text.split(/\n+/)) {
    const tokens = await model.tokenize(paragraph, { addSpecial: false })
    if (part && size + tokens.length > most) {
      parts.push(part)
      part = ''
      size = 0
    }
    part += `${part && ' '}${tokens.length > most ? await model.detokenize(tokens.slice(0, most)) : paragraph}`
    size += tokens.length
  }
  if (part) parts.push(part)
  return parts.map(part => part.trim()).filter(Boolean)
}
