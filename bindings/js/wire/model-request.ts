// Requests to the engine's worker to load or store a model, and the sources of its bytes.
import type { HubOptions } from '../types/index.js'
import type { WebBlob, WebFileHandle } from '../types/web.js'

/** The ways in which the worker gets a model file: it opens the file itself, or receives it chunk by chunk. */
export type FileSource =
  /** A file at an address; `own`: it belongs to the package. */
  | { kind: 'url'; url: string; own?: boolean }
  | { kind: 'path'; path: string }
  /** In Node, a File loses its name when it is sent to a worker. */
  | { kind: 'blob'; blob: WebBlob; name?: string }
  /** A Blob that cannot be sent to a worker: the caller's thread reads requested ranges. */
  | { kind: 'kept'; blob: number; size: number; name?: string }
  | { kind: 'handle'; handle: WebFileHandle }
  | { kind: 'pushed' }
  /** A source that starts with `hf:`. */
  | { kind: 'hub'; source: string; options: HubOptions }
  /** A model in the store: `store:NAME`, or the source of a listed model. */
  | { kind: 'stored'; source: string; revision?: string; endpoint?: string }
  /** The parts of a split model, in any order. */
  | { kind: 'set'; parts: FileSource[] }

/** A part of a Blob that cannot be sent: its number, and a range of its bytes. */
export interface KeptRange {
  blob: number
  at: number
  length: number
}

/** A model to load, or to download into the store. */
export interface ModelRequest {
  source: FileSource
  /** Whether to store the download; `reload`: also ask the server first whether it still has the stored file. */
  cache?: boolean | 'reload'
  /** Whether to read it from Cross-Origin Storage, and to write it there. */
  crossOrigin?: boolean
  /** The expected SHA-256 of each file, in hexadecimal. */
  integrity?: string[]
  /** Whether only the header is read, which is neither stored nor verified. */
  head?: boolean
  /** Milliseconds without data before a download is requested again. */
  stallMs?: number
}
