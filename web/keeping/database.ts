// The browser's database of conversations: its stores, and its transactions as promises.

const name = 'heed-conversations'
/** The version of the stores; the contents of records have versions of their own (record.ts). */
const version = 2

export interface Stores {
  /** A record for each conversation: the data for a list of them, and its settings. */
  readonly heads: IDBObjectStore
  /** A record for each turn, so that saving a growing answer writes only that answer. */
  readonly turns: IDBObjectStore
  /** A record for each draft, by tab and name (desk.ts). */
  readonly drafts: IDBObjectStore
}

const names = ['heads', 'turns', 'drafts'] as const

export const answerOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opened: Promise<IDBDatabase> | undefined

/** Rejects if the browser has no database for this window, or if a newer version of this page has changed its stores. */
async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version)
  request.onupgradeneeded = ({ oldVersion }) => {
    const { result } = request
    if (oldVersion < 1) {
      result.createObjectStore('heads', { keyPath: 'id' })
      result.createObjectStore('turns', { keyPath: ['conversation', 'id'] })
    }
    result.createObjectStore('drafts', { keyPath: ['tab', 'name'] })
  }
  const database = await answerOf(request)
  const leave = () => {
    database.close()
    opened = undefined
  }
  database.onversionchange = leave // a newer page, or the user, must not wait for this connection
  database.onclose = leave
  return database
}

function database(): Promise<IDBDatabase> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined // the next call tries again
    throw error
  })
  return opened
}

/**
 * Runs `work`, which may only wait for its requests, as one transaction. Resolves once that is complete; otherwise, nothing of it
 * is written.
 */
export async function within<Result>(mode: IDBTransactionMode, work: (stores: Stores) => Promise<Result>): Promise<Result> {
  const transaction = (await database()).transaction(names, mode)
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException('the transaction was aborted', 'AbortError'))
  })
  try {
    const result = await work(Object.fromEntries(names.map(name => [name, transaction.objectStore(name)])) as unknown as Stores)
    await completed
    return result
  } catch (error) {
    completed.catch(() => {})
    try {
      transaction.abort()
    } catch {} // it has already ended
    throw transaction.error ?? error
  }
}
