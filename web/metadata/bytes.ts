// The first bytes of a model's files, wherever these are.
import { fileName } from '../model/address.js'
import type { Source } from '../model/slot.js'
import type { FirstBytes } from './gguf.js'

export interface NamedFile {
  readonly name: string
  /** Undefined for a file that the page cannot read by itself: in the store, or on a hub. */
  readonly first?: FirstBytes
}

/** The same file as the package's, so that the build contains it once. */
const bundled = () => new URL('../../models/heed-stories.gguf', import.meta.url).href

function named(data: Source['data']): NamedFile {
  const one = Array.isArray(data) ? data[0] : data // of a split model, the first part has it
  if (one instanceof Blob)
    return {
      name: one instanceof File ? one.name : 'the file',
      first: async count => new Uint8Array(await one.slice(0, count).arrayBuffer()),
    }
  const address = one === undefined ? bundled() : `${one}`
  return { name: fileName(address), ...(/^(https?|blob):/.test(address) && { first: fetched(address) }) }
}

/** Downloads no more than requested. */
function fetched(address: string): FirstBytes {
  let there = new Uint8Array()
  let reader: Promise<ReadableStreamDefaultReader<Uint8Array>> | undefined
  return async count => {
    reader ??= fetch(address).then(answer => {
      if (!answer.ok || !answer.body) throw new Error(`the server answers with ${answer.status}`)
      return answer.body.getReader()
    })
    const chunks = [there]
    let length = there.length
    while (length < count) {
      const { done, value } = await (await reader).read()
      if (done) break
      chunks.push(value as Uint8Array<ArrayBuffer>)
      length += value.length
    }
    there = new Uint8Array(await new Blob(chunks).arrayBuffer())
    return there.subarray(0, count)
  }
}

/** The files of a model; copies in the store count as the files that are still open. */
export const filesOf = ({ data, projector }: Source): NamedFile[] => [named(data), ...(projector ? [named(projector.data)] : [])]
