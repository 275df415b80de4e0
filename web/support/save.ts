// Saves a text or bytes as a file.
import { make } from './dom.js'

export function saveFile(download: string, type: string, content: string | Blob): void {
  const href = URL.createObjectURL(new Blob([content], { type }))
  make('a', { href, download }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** A table as CSV (RFC 4180): text is quoted, numbers are not. */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map(row => `${row.map(value => (typeof value === 'number' ? `${value}` : `"${value.replaceAll('"', '""')}"`)).join(',')}\r\n`)
    .join('')
