// Where the store keeps its files: the origin private file system, or a folder in Node. And the locks around them.
import type { Sha256 } from './sha256.js'

/** A file that is open for reading and writing, by nobody else. */
export interface StoreFile {
  size(): number
  /** How many bytes were read into `place`. */
  read(at: number, place: Uint8Array): number
  write(at: number, bytes: Uint8Array): void
  truncate(size: number): void
  /** What was written is on the disk. */
  flush(): void
  close(): void
}

export interface Folder {
  names(): Promise<string[]>
  /** Undefined where there is no such file. */
  text(name: string): Promise<string | undefined>
  size(name: string): Promise<number | undefined>
  /** Fails where the file is in use. */
  remove(name: string): Promise<void>
  /** Opens a file, or makes it. Fails where it is in use, after a while. */
  open(name: string): Promise<StoreFile>
  /** Opens a file for reading, along with others. */
  reader(name: string): Promise<{ read(at: number, place: Uint8Array): number | Promise<number>, close(): void }>
  /** Bytes that may still be written, where that is known, and what there is in all. */
  space(): Promise<{ free?: number, usage?: number, quota?: number }>
}

/** How far the holder of a lock is, told to those who wait for it. */
export type Told = { loaded: number, total?: number }

export interface Held {
  tell(progress: Told): void
  release(): void
}

export interface Locks {
  /** Waits for a lock that only one has at a time, in whatever tab or process; it is released when its holder dies. */
  acquire(name: string, onWait?: (progress: Told) => void): Promise<Held>
  /** The same, or nothing where another has it. */
  tryAcquire(name: string): Promise<Held | undefined>
}

/** Where the store lies. */
export interface StorePlace {
  folder: Folder
  locks: Locks
}

/** What the store needs of where it runs. */
export interface StoreAccess {
  sha256(): Promise<Sha256>
  /** Undefined where nothing can be kept. */
  store(): Promise<StorePlace | undefined>
}

/** Tries again for a while: what a tab held that was closed just now is free soon. */
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
