// Stores documents in the origin private file system: one file with the paragraphs, and one with their vectors. No other site can
// read them, and the browser deletes them with the site's data.
import type { Paragraph } from './reading/index.ts'

export interface KeptDocument {
  /** A hash of the file, by which a file that is added again is recognized. */
  readonly id: string
  readonly name: string
  readonly paragraphs: readonly Paragraph[]
  /** The model that made the vectors, and one vector per paragraph; absent without an embedding model. */
  readonly embedder?: string | undefined
  readonly vectors?: readonly Float32Array[] | undefined
}

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('documents', { create: true })

async function write(name: string, content: Blob | string): Promise<void> {
  const file = await (await folder()).getFileHandle(name, { create: true })
  const stream = await file.createWritable()
  await stream.write(content)
  await stream.close()
}

export async function keep({ vectors, ...document }: KeptDocument): Promise<void> {
  if (vectors) await write(`${document.id}.vectors`, new Blob(vectors.map(vector => new Float32Array(vector))))
  await write(`${document.id}.json`, JSON.stringify(document)) // last: without it, the document does not exist
}

export async function forget(id: string): Promise<void> {
  const from = await folder()
  await from.removeEntry(`${id}.json`)
  await from.removeEntry(`${id}.vectors`).catch(() => {}) // missing without an embedding model
}

/** All stored documents. A document without the right number of vectors is returned without vectors. */
export async function kept(): Promise<KeptDocument[]> {
  const found: KeptDocument[] = []
  const from = await folder()
  for await (const [name, handle] of from.entries()) {
    if (!name.endsWith('.json') || handle.kind !== 'file') continue
    const document: KeptDocument = JSON.parse(await (await (handle as FileSystemFileHandle).getFile()).text())
    const vectors = await vectorsOf(from, document)
    found.push(vectors ? { ...document, vectors } : { id: document.id, name: document.name, paragraphs: document.paragraphs })
  }
  return found.sort((one, other) => one.name.localeCompare(other.name))
}

async function vectorsOf(from: FileSystemDirectoryHandle, { id, paragraphs }: KeptDocument): Promise<Float32Array[] | undefined> {
  const handle = await from.getFileHandle(`${id}.vectors`).catch(() => undefined)
  if (!handle) return undefined
  const all = new Float32Array(await (await handle.getFile()).arrayBuffer())
  const width = all.length / paragraphs.length
  if (!Number.isInteger(width) || width === 0) return undefined
  return paragraphs.map((_, at) => all.subarray(at * width, (at + 1) * width))
}
