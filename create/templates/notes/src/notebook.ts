// The notes: written, changed, deleted and searched. Each note is saved at once; its vector follows, if an embedding model is
// loaded.
import type { Model } from 'heed'
import { forget, keep, kept, type Note } from './keeping.ts'
import { Search } from './search/search.ts'
import { leastScore, prefixes } from './settings.ts'

export class Notebook {
  #notes = new Map<string, Note>()
  #search = new Search<Note>()
  #embedder: { readonly name: string; readonly model: Model } | undefined

  /** The notes, the most recently changed one first. */
  get notes(): Note[] {
    return [...this.#notes.values()].sort((one, other) => other.changed - one.changed)
  }

  async open(): Promise<void> {
    for (const note of await kept()) this.#include(note)
  }

  /** Uses this model for embeddings from now on, and embeds all notes without vectors of it. */
  async useEmbedder(name: string, model: Model): Promise<void> {
    this.#embedder = { name, model }
    for (const note of this.notes) if (note.embedder !== name) await this.#embedAndKeep(note)
  }

  /** Adds a note, or replaces the text of the note with this id. */
  async write(text: string, id: string = crypto.randomUUID()): Promise<void> {
    const note = { id, text, changed: Date.now() }
    await keep(note) // before it is embedded, so that no text is lost
    this.#include(note)
    if (this.#embedder) await this.#embedAndKeep(note)
  }

  async delete(id: string): Promise<void> {
    await forget(id)
    this.#notes.delete(id)
    this.#search.remove(id)
  }

  /** The notes that match a question, best first. */
  async find(question: string): Promise<Note[]> {
    const [vector] = this.#embedder ? await this.#embed(prefixes.question + question) : []
    const found = this.#search.find(question, vector, 20)
    const best = found[0]?.score ?? 0
    return found.filter(({ score }) => score >= leastScore * best).map(({ passage }) => passage)
  }

  #embed(text: string): Promise<Float32Array[]> {
    return this.#embedder!.model.embed([text], { normalize: true, truncate: true })
  }

  async #embedAndKeep(note: Note): Promise<void> {
    const { name } = this.#embedder!
    const [vector] = await this.#embed(prefixes.note + note.text)
    if (this.#notes.get(note.id)?.changed !== note.changed) return // the note has been changed or deleted meanwhile
    const embedded = { ...note, embedder: name, vector }
    await keep(embedded)
    this.#include(embedded)
  }

  #include(note: Note): void {
    this.#notes.set(note.id, note)
    this.#search.add(note)
  }
}
