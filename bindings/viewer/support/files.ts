// Saves what the viewer shows as files.
import { make } from './dom.js'

export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  make('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
