// The interfaces of the store's files (the origin private file system, or a folder in Node) and of the locks that protect them.
import type { Sha256 } from './sha256.js'

/** A file that is open for exclusive reading and writing. */
export interface StoreFile {
  size(): number
  /** Reads into `place`. Returns the number of bytes. */
  read(at: number, place: Uint8Array): number
  write(at: number, bytes: Uint8Array): void
  truncate(size: number): void
  /** Writes pending data to the disk. */
  flush(): void
  close(): void
}

export interface Folder {
  /** The names of all files, without subfolders. */
  names(): Promise<string[]>
  /** The text of a file; undefined if the file does not exist. */
  text(name: string): Promise<string | undefined>
  size(name: string): Promise<number | undefined>
  /** Removes a file. Fails if the file is in use. */
  remove(name: string): Promise<void>
  /** Opens a file, or creates it. Fails if the file stays in use. */
  open(name: string): Promise<StoreFile>
  /** Opens a file for shared reading. */
  reader(name: string): Promise<{ read(at: number, place: Uint8Array): number | Promise<number>; close(): void }>
  /** The free, used and total space in bytes, as far as known. */
  space(): Promise<{ free?: number; usage?: number; quota?: number }>
}

/** Progress, reported by the holder of a lock to those who wait for it. */
export type LockProgress = { loaded: number; total?: number }

export interface HeldLock {
  tell(progress: LockProgress): void
  release(): void
}

export interface Locks {
  /**
   * Waits for a lock that is exclusive among all tabs and processes, and released if its holder dies. A holder may also hang, or be
   * frozen: throws `io` once it has reported nothing for `patienceMs`.
   */
  acquire(name: string, patienceMs: number, onWait?: (progress: LockProgress) => void): Promise<HeldLock>
  /** Acquires a lock if it is free; otherwise resolves to undefined. */
  tryAcquire(name: string): Promise<HeldLock | undefined>
}

/** The store's files and locks. */
export interface StorePlace {
  folder: Folder
  locks: Locks
}

/** The platform-dependent part of the store. */
export interface StoreAccess {
  sha256(): Promise<Sha256>
  /**
   * The place of models or, for `kept`, of what models keep; undefined if nothing can be stored or, without `create`, nothing is
   * stored yet.
   */
  store(part?: 'kept', create?: boolean): Promise<StorePlace | undefined>
}

/** Retries for a while, because a tab or worker that has just ended soon releases its lock. */
export async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let waitMs = 10; ; waitMs *= 2) {
    try {
      return await attempt()
    } catch (error) {
      if (waitMs > 2000) throw error
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
}
