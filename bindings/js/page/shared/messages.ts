// The messages between the tabs that share a model. One channel for all of them announces which tab serves; that tab also has a
// channel with each of the others.
import type { Call, FromEngine, ToEngine } from '../../wire/protocol.js'

export type Numbered = Call & { id: number }

/** The calls that read a whole file: the first tab makes them for all. */
export type FileRead = Extract<Numbered, { type: 'load' | 'loadBeside' }>
export const readsFile = (call: Numbered): call is FileRead => call.type === 'load' || call.type === 'loadBeside'
/** Which file a call reads: the model's own, or one beside it. */
export const fileOf = (call: FileRead): string => (call.type === 'load' ? 'model' : call.what)

/** A message on the channel of all tabs. */
export type Word =
  /** A tab asks to be served. */
  | { say: 'join'; tab: string }
  /** The server listens on its channel with this tab. */
  | { say: 'serves'; tab: string; server: string }
  /** A server has begun: tabs join it, and leave an earlier one. */
  | { say: 'began'; server: string }

/** Messages from a tab to its server, and back. */
export type ToServer = ToEngine | { type: 'bye' }
export type FromServer = FromEngine

const prefix = 'heed-shared:'

export const wordsOf = (key: string) => prefix + key
export const linkOf = (key: string, server: string, tab: string) => `${prefix}${key}:${server}:${tab}`
/** The name of the lock that the serving tab holds. */
export const lockOf = (key: string) => prefix + key
/** The name of the lock that a tab holds while it lives. */
export const lifeOf = (tab: string) => `${prefix}life:${tab}`

/** Holds a lock until the returned function is called; resolves once the lock is held. Rejects if `signal` is aborted before. */
export const hold = (name: string, signal?: AbortSignal): Promise<() => void> =>
  new Promise((resolve, reject) => {
    navigator.locks.request(name, { signal }, () => new Promise<void>(release => resolve(release))).catch(reject)
  })
