// The store's folder in Node: HEED_MODELS, or a folder in the user's cache directory.
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Folder, StoreFile } from './folder.js'
import type { Sha256 } from './sha256.js'

export function folderPath(): string {
  const { HEED_MODELS, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (HEED_MODELS) return HEED_MODELS
  const cache = process.platform === 'win32' ? LOCALAPPDATA : process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : XDG_CACHE_HOME
  return join(cache || join(homedir(), '.cache'), 'heed', 'models')
}

const missing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Undefined if the folder cannot be created. */
export async function openFolder(): Promise<Folder | undefined> {
  const folder = folderPath()
  try {
    mkdirSync(folder, { recursive: true })
  } catch {
    return undefined
  }
  const path = (name: string) => join(folder, name)
  return {
    names: () => readdir(folder),
    text: name => readFile(path(name), 'utf8').catch(missing),
    size: name => stat(path(name)).then(({ size }) => size).catch(missing),
    remove: name => rm(path(name), { force: true }),
    open: async name => writable(openSync(path(name), 'a+'), path(name)),
    async reader(name) {
      const file = openSync(path(name), 'r')
      return { read: (at, place) => readSync(file, place, 0, place.length, at), close: () => closeSync(file) }
    },
    async space() {
      const { bavail, blocks, bsize } = await statfs(folder)
      return { free: bavail * bsize, quota: blocks * bsize }
    },
  }
}

function writable(created: number, path: string): StoreFile {
  closeSync(created)
  const file = openSync(path, 'r+')
  return {
    size: () => fstatSync(file).size,
    read: (at, place) => readSync(file, place, 0, place.length, at),
    write(at, bytes) {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done)
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
    update: bytes => { hash.update(bytes) },
    digest: () => hash.copy().digest('hex'),
    mark() { marked = hash.copy() },
    back() { hash = marked.copy() },
    restart() { hash = createHash('sha256') },
  }
}
