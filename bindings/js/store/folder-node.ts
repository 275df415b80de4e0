// The store's folder in Node: HEED_MODELS, or a folder in the user's cache directory.
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { lstat, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HeedError } from '../wire/errors.js'
import type { Folder, StoreFile } from './folder.js'
import type { Sha256 } from './sha256.js'

export function folderPath(): string {
  const { HEED_MODELS, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (HEED_MODELS) return HEED_MODELS
  const cache =
    process.platform === 'win32' ? LOCALAPPDATA : process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : XDG_CACHE_HOME
  return join(cache || join(homedir(), '.cache'), 'heed', 'models')
}

/** Journals contain addresses, which may be secret. */
const ownerOnly = 0o600
/** Does not exist on Windows, which reserves links for administrators. */
const followsNoLink = constants.O_NOFOLLOW ?? 0

const missing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw new HeedError('io', `The store cannot be read: ${error.message}`, { cause: error })
}

/** Opens the folder; undefined if it cannot be created or, without `create`, does not exist. */
export async function openFolder(part = '', create = true): Promise<Folder | undefined> {
  const folder = join(folderPath(), part)
  if (!create && !existsSync(folder)) return undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return undefined
  }
  const path = (name: string) => {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`"${name}" is no name of a file of the store`)
    return join(folder, name)
  }
  /** The size of a regular file; undefined for anything else, such as a link to a file elsewhere. */
  const size = (name: string) =>
    lstat(path(name))
      .then(found => (found.isFile() ? found.size : undefined))
      .catch(missing)
  return {
    names: async () =>
      (await readdir(folder, { withFileTypes: true })).filter(entry => !entry.isDirectory()).map(({ name }) => name),
    size,
    text: async name =>
      (await size(name)) === undefined
        ? undefined
        : readFile(path(name), { encoding: 'utf8', flag: constants.O_RDONLY | followsNoLink }).catch(missing),
    remove: name => rm(path(name), { force: true }),
    open: async name => writable(openSync(path(name), constants.O_RDWR | constants.O_CREAT | followsNoLink, ownerOnly)),
    async reader(name) {
      const file = openSync(path(name), constants.O_RDONLY | followsNoLink)
      return { read: (at, place) => readSync(file, place, 0, place.length, at), close: () => closeSync(file) }
    },
    async space() {
      const { bavail, blocks, bsize } = await statfs(folder)
      return { free: bavail * bsize, quota: blocks * bsize }
    },
  }
}

function writable(file: number): StoreFile {
  try {
    fchmodSync(file, ownerOnly) // an earlier version left it readable by others
  } catch {} // some file systems have no modes
  return {
    size: () => fstatSync(file).size,
    read: (at, place) => readSync(file, place, 0, place.length, at),
    write(at, bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done)
    },
    truncate: size => ftruncateSync(file, size),
    flush: () => fsyncSync(file),
    close: () => closeSync(file),
  }
}

/** SHA-256 from Node's crypto module. */
export async function sha256(): Promise<Sha256> {
  let hash = createHash('sha256')
  let marked = hash.copy()
  return {
    update: bytes => {
      hash.update(bytes)
    },
    digest: () => hash.copy().digest('hex'),
    mark() {
      marked = hash.copy()
    },
    back() {
      hash = marked.copy()
    },
    restart() {
      hash = createHash('sha256')
    },
  }
}
