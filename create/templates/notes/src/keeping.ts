// Notes in the browser's database, each with its vector. No other site can read them, and the browser deletes them with the site's data.
import { openDB, type DBSchema } from 'idb'

export interface Note {
  readonly id: string
  readonly text: string
  /** When the note was last changed, in milliseconds since 1970. */
  readonly changed: number
  /** The model that made the vector; absent if there was none. */
  readonly embedder?: string | undefined
  readonly vector?: Float32Array | undefined
}

interface Notes extends DBSchema {
  notes: { key: string; value: Note }
}

const opened = openDB<Notes>('notes', 1, { upgrade: database => void database.createObjectStore('notes', { keyPath: 'id' }) })

export const keep = async (note: Note): Promise<void> => void (await (await opened).put('notes', note))
export const forget = async (id: string): Promise<void> => (await opened).delete('notes', id)

/** All notes, the most recently changed one first. */
export async function kept(): Promise<Note[]> {
  const notes = await (await opened).getAll('notes')
  return notes.sort((one, other) => other.changed - one.changed)
}
