// Locks among threads and processes in Node. The holder of a lock listens on a socket with its name; if it dies, the system closes
// the socket. Those who wait connect to it, receive the progress, and know that the lock is free when the connection ends.
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HeedError } from '../wire/errors.js'
import { silentHolder } from './errors.js'
import { folderPath } from './folder-node.js'
import type { HeldLock, Locks, LockProgress } from './folder.js'

const onWindows = process.platform === 'win32'

function socketPath(name: string): string {
  const id = createHash('sha256').update(`${folderPath()} ${name}`).digest('hex').slice(0, 16)
  return onWindows ? `\\\\.\\pipe\\heed-${id}` : join(ownFolder(), `${id}.lock`)
}

/**
 * A folder to which no other user can write: the temporary folder is shared, and the names of locks can be guessed. Its path is
 * short, because the path of a socket has at most 103 bytes. Throws `io`.
 */
function ownFolder(): string {
  const user = process.getuid!()
  const folder = join(tmpdir(), `heed-${user}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (!found.isDirectory() || found.uid !== user) throw new Error('another user has made it')
    if (found.mode & 0o077) chmodSync(folder, 0o700)
    return folder
  } catch (error) {
    throw new HeedError('io', `The folder of the store's locks, ${folder}, cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Takes the lock; undefined if another process holds it, or held it when it died. */
function listen(path: string): Promise<HeldLock | undefined> {
  return new Promise((resolve, reject) => {
    const waiting = new Set<Socket>()
    const server: Server = createServer(socket => {
      waiting.add(socket)
      socket
        .unref()
        .on('error', () => {})
        .on('close', () => waiting.delete(socket))
    })
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(new HeedError('io', `The store cannot be locked: ${error.message}`, { cause: error }))
    })
    server.listen(path, () => {
      server.unref()
      resolve({
        tell: progress => {
          for (const socket of waiting) socket.write(`${JSON.stringify(progress)}\n`)
        },
        release() {
          server.close()
          for (const socket of waiting) socket.destroy()
        },
      })
    })
  })
}

/**
 * Resolves once the holder has released the lock; to false if there is no holder, only a socket left behind. Throws `io` if the holder
 * reports nothing for `patienceMs`.
 */
function waitFor(path: string, patienceMs: number, onWait?: (progress: LockProgress) => void): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let text = ''
    let isAlive = false
    const socket = connect(path)
    socket.setEncoding('utf8')
    socket.setTimeout(patienceMs, () => {
      reject(silentHolder('process', path, patienceMs))
      socket.destroy()
    })
    socket.on('connect', () => {
      isAlive = true
    })
    socket.on('data', data => {
      const lines = (text + data).split('\n')
      text = lines.pop()!
      for (const line of lines) onWait?.(JSON.parse(line))
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(isAlive))
  })
}

/** Removes a socket that nobody listens on, unless a listener has appeared by now. */
async function clean(path: string): Promise<void> {
  if (onWindows) return
  const aside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  try {
    await rename(path, aside)
    if (await isLive(aside)) await rename(aside, path)
    else await rm(aside, { force: true })
  } catch {} // another process was faster
}

const isLive = (path: string) =>
  new Promise<boolean>(resolve => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

export const nodeLocks: Locks = {
  async tryAcquire(name) {
    const path = socketPath(name)
    const free = await listen(path)
    if (free || (await isLive(path))) return free
    await clean(path)
    return listen(path)
  },
  async acquire(name, patienceMs, onWait) {
    const path = socketPath(name)
    for (;;) {
      const free = await listen(path)
      if (free) return free
      if (!(await waitFor(path, patienceMs, onWait))) await clean(path)
    }
  },
}
