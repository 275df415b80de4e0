// The library: documents can be added, embedded, stored, removed, and searched together.
import type { Model } from 'heed'
import { forget, keep, kept, type KeptDocument } from './keeping.ts'
import { read, type Paragraph } from './reading/index.ts'
import { Search, type Found, type Passage } from './search/search.ts'
import { prefixes } from './settings.ts'

/** A paragraph of a document, as a search result. */
export interface DocumentPassage extends Passage, Paragraph {
  readonly document: string
}

export type Embedder = Pick<Model, 'embed'> & { readonly name: string }

const hash = async (file: File) => {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

export class Library {
  #search = new Search<DocumentPassage>()
  #documents = new Map<string, KeptDocument>()

  constructor(
    private readonly embedder: Embedder | undefined,
    private readonly onProgress: (said: string) => void,
  ) {}

  get documents(): readonly KeptDocument[] {
    return [...this.#documents.values()]
  }

  /** Reads the documents of earlier visits. Documents without vectors of the current model are embedded again. */
  async open(): Promise<void> {
    for (const document of await kept()) {
      if (this.embedder && document.embedder !== this.embedder.name) await this.#embedAndKeep(document)
      else this.#include(document)
    }
  }

  async add(file: File): Promise<void> {
    const id = await hash(file)
    if (this.#documents.has(id)) return
    this.onProgress(`Reading ${file.name} …`)
    await this.#embedAndKeep({ id, name: file.name, paragraphs: await read(file) })
  }

  async remove(id: string): Promise<void> {
    await forget(id)
    this.#documents.get(id)?.paragraphs.forEach((_, at) => this.#search.remove(`${id} ${at}`))
    this.#documents.delete(id)
  }

  /** The best paragraphs for a question, best first. */
  async find(question: string, limit: number): Promise<Found<DocumentPassage>[]> {
    const [vector] = this.embedder ? await this.#embed([prefixes.question + question]) : []
    return this.#search.find(question, vector, limit)
  }

  /** Normalized vectors. Texts that are too long for the model are cut off. */
  #embed = (texts: string[], onProgress = (_: { done: number; total: number }) => {}) =>
    this.embedder!.embed(texts, { normalize: true, truncate: true, onProgress })

  async #embedAndKeep({ id, name, paragraphs }: KeptDocument): Promise<void> {
    const texts = paragraphs.map(({ text }) => prefixes.paragraph + text)
    const tell = ({ done, total }: { done: number; total: number }) => this.onProgress(`${name}: ${done} of ${total} paragraphs`)
    const document = this.embedder
      ? { id, name, paragraphs, embedder: this.embedder.name, vectors: await this.#embed(texts, tell) }
      : { id, name, paragraphs }
    await keep(document)
    this.#include(document)
    this.onProgress('')
  }

  #include(document: KeptDocument): void {
    this.#documents.set(document.id, document)
    document.paragraphs.forEach((paragraph, at) => {
      const vector = document.vectors?.[at]
      this.#search.add({ ...paragraph, id: `${document.id} ${at}`, document: document.name, vector })
    })
  }
}
