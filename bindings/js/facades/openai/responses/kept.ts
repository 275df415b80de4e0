// The responses that a client keeps in memory, for `retrieve` and `previous_response_id`. Only the most recently used ones are
// kept.
import type { ChatMessage } from '../../../chat/types.js'
import type { Directory } from '../directory.js'
import { NotFoundError } from '../errors.js'
import type { Response, ResponseOutputItem } from './types.js'

const most = 256

export interface KeptResponse {
  /** The current state of the response. */
  readonly response: Response
  /** The response's conversation without instructions; undefined until the response has ended. */
  readonly messages?: readonly ChatMessage[]
  /** Aborts a response that runs in the background. */
  readonly stop?: AbortController
}

export class KeptResponses {
  /** By id; the most recently used one is the last. */
  readonly #all = new Map<string, KeptResponse>()

  keep(one: KeptResponse): void {
    const { id } = one.response
    this.#all.delete(id)
    this.#all.set(id, one)
    for (const [oldest, { stop }] of this.#all) {
      if (this.#all.size <= most) break
      this.#all.delete(oldest)
      stop?.abort()
    }
  }

  /** The response that `param` names. Throws if it is unknown or no longer kept. */
  find(id: string, param: string): KeptResponse {
    const found = this.#all.get(id)
    if (!found) throw new NotFoundError(param, `response with id ${JSON.stringify(id)} not found: the last ${most} are kept`)
    this.keep(found)
    return found
  }

  /** An item of one of the responses. */
  item(id: string, param: string): ResponseOutputItem {
    for (const { response } of this.#all.values()) {
      const found = response.output.find(item => item.id === id)
      if (found) return found
    }
    throw new NotFoundError(param, `item with id ${JSON.stringify(id)} not found: those of the last ${most} responses are kept`)
  }

  delete(id: string): void {
    this.find(id, 'response_id').stop?.abort()
    this.#all.delete(id)
  }
}

const ofClients = new WeakMap<Directory, KeptResponses>()

/** The responses of the client with this directory. */
export function keptBy(directory: Directory): KeptResponses {
  const kept = ofClients.get(directory) ?? new KeptResponses()
  ofClients.set(directory, kept)
  return kept
}
