// Tokens as the lens, edits and attribution show them.
import type { CharacterPart } from 'heed'

interface Named {
  readonly text: string
  readonly part?: CharacterPart
}

/** A token with its white space made visible, except for a single leading space, with which words begin. */
export function visible({ text }: Named): string {
  if (/^ +$/.test(text)) return '␣'.repeat(text.length)
  if (/^\uFFFD+$/.test(text)) return '…'
  return (
    text
      .replace(/\n/g, '↵')
      .replace(/\t/g, '⇥')
      .replace(/\p{Cc}/gu, '')
      .trim() || '∅'
  )
}

export const quoted = (token: Named) => `“${visible(token)}”`
