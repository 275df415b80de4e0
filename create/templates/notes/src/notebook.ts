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

  /** The notes, the one that was changed last first. */
  get notes(): Note[] {
    return [...this.#notes.values()].sort((one, other) => other.changed - one.changed)
  }

  async open(): Promise<void> {
    for (const note of await kept()) this.#include(note)
  }

  /** From now on notes are embedded by this model; those that it has not embedded yet, now. */
  async useEmbedder(name: string, model: Model): Promise<void> {
    this.#embedder = { name, model }
    for (const note of this.notes) if (note.embedder !== name) await this.#embedAndKeep(note)
  }

  /** Writes a note, or another text in the place of the one with this id. */
  async write(text: string, id: string = crypto.randomUUID()): Promise<void> {
    const note = { id, text, changed: Date.now() }
    await keep(note) // before it is embedded: what has been written is never lost
    this.#include(note)
    if (this.#embedder) await this.#embedAndKeep(note)
  }

  async delete(id: string): Promise<void> {
    await forget(id)
    this.#notes.delete(id)
    this.#search.remove(id)
  }

  /** The notes that fit a question, the best one first. */
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
    if (this.#notes.get(note.id)?.changed !== note.changed) return // it has been changed or deleted meanwhile
    const embedded = { ...note, embedder: name, vector }
    await keep(embedded)
    this.#include(embedded)
  }

  #include(note: Note): void {
    this.#notes.set(note.id, note)
    this.#search.add(note)
  }
}
