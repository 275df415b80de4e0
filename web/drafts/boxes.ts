// Saves the texts of text boxes, brings them back as if they were typed, and clears them.
import type { Desk } from '../keeping/desk.js'

/** The record of a box. */
export interface Boxed {
  readonly text: string
  /** Whether the text comes from a link, which brings it again. */
  readonly isOfLink?: boolean
}

const fill = (box: HTMLTextAreaElement, text: string) => {
  box.value = text
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Saves the text of a box, even if it was written before this call, unless it is the box's initial text, if any. */
export function keepBox(desk: Desk, name: string, box: HTMLTextAreaElement, isOfLink = () => false): void {
  const isInitial = () => box.value === box.defaultValue
  const record = (): Boxed => ({ text: box.value, isOfLink: isOfLink() })
  const keep = () => desk.keep(name, isInitial() ? undefined : record)
  for (const event of ['input', 'change']) box.addEventListener(event, keep)
  if (!isInitial()) keep()
}

/** Puts a text into a box; if the box has another text by now, `setAside` gets the new one. */
export function bring(box: HTMLTextAreaElement, text: string, setAside: (text: string) => void): void {
  if (text === '' || text === box.value) return
  if (box.value === box.defaultValue) fill(box, text)
  else setAside(text)
}

export const reset = (box: HTMLTextAreaElement) => fill(box, box.defaultValue)
