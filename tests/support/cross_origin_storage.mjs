// A stand-in for `navigator.crossOriginStorage`, after its draft (https://wicg.github.io/cross-origin-storage), of one site that may use
// it. https://fs.spec.whatwg.org has the handles.
import { createHash } from 'node:crypto'

const failed = (name, message = name) => new DOMException(message, name)

/**
 * `entries`: the bytes by SHA-256, undefined while a file is being written. `asked`: the options of each request. If set, `refuses` is the
 * name of the error of every request, and `room` the number of bytes that can be written.
 */
export class CrossOriginStorage {
  entries = new Map()
  asked = []
  refuses
  room = Infinity

  #writing = 0
  #whenSettled = []

  /** Resolves once no file is being written. */
  settled() {
    return this.#writing === 0 ? undefined : new Promise(resolve => this.#whenSettled.push(resolve))
  }

  async getFileHandle({ algorithm, value }, options = {}) {
    if (algorithm !== 'SHA-256' || !/^[0-9a-f]{64}$/.test(value)) throw new TypeError('not a hash')
    if (this.refuses) throw failed(this.refuses)
    this.asked.push(options)
    if (options.create) {
      if (!this.entries.has(value)) this.entries.set(value, undefined)
      return { getFile: async () => Promise.reject(failed('NotAllowedError')), createWritable: async () => this.#writable(value) }
    }
    if (!this.entries.has(value)) throw failed('NotFoundError')
    const bytes = this.entries.get(value)
    if (!bytes) throw failed('NotAllowedError', 'it is being written')
    return { getFile: async () => new Blob([bytes]) }
  }

  #writable(value) {
    const chunks = []
    this.#writing++
    const end = () => {
      if (--this.#writing === 0) for (const resolve of this.#whenSettled.splice(0)) resolve()
    }
    const drop = () => {
      end()
      if (!this.entries.get(value)) this.entries.delete(value)
    }
    return {
      write: async bytes => {
        this.room -= bytes.length
        if (this.room < 0) throw failed('QuotaExceededError', 'no room')
        chunks.push(Buffer.from(bytes))
      },
      close: async () => {
        const bytes = Buffer.concat(chunks)
        if (createHash('sha256').update(bytes).digest('hex') !== value) {
          drop()
          throw failed('DataError')
        }
        this.entries.set(value, bytes)
        end()
      },
      abort: async () => drop(),
    }
  }
}
