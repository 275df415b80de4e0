// Remote files that are read without being stored, and the verification of a file's checksum while it is read.
import { HeedError } from '../wire/errors.js'
import { Download, type DownloadOptions, type Identity, type Remote } from './download.js'
import { type Chunks, fileOfChunks, type ModelFile } from './model-file.js'
import { Changed } from './retry.js'
import { mostPadding } from './gguf-header.js'
import type { Sha256 } from './sha256.js'
import { wrongFile, wrongSum } from './errors.js'

const named = ({ url }: Remote, error: unknown) =>
  error instanceof Changed ? new HeedError('network', `${url}: ${error.message} while it was being read`) : error

/** Sequential reads use one request, or more if it is interrupted. */
export function remoteFile(remote: Remote, options: DownloadOptions): ModelFile {
  let identity: Identity = {}
  const file = fileOfChunks(remote.name, (at): Chunks => {
    const download = new Download(remote, at, { ...options, identity })
    return {
      async next() {
        try {
          const chunk = await download.next()
          identity = download.identity
          return chunk
        } catch (error) {
          throw named(remote, error)
        }
      },
      close: () => download.close(),
    }
  })
  return {
    ...file,
    cached: 0,
    get size() {
      return identity.size ?? remote.size
    },
  }
}

/** As `remoteFile`, to read small parts of a file: each read requests only the bytes that it returns. */
export function rangesOf(remote: Remote, options: DownloadOptions): ModelFile {
  let identity: Identity = {}
  return {
    name: remote.name,
    get size() {
      return identity.size ?? remote.size
    },
    async read(at, place) {
      const download = new Download(remote, at, { ...options, identity, ranged: true, probeBytes: place.length })
      let count = 0
      try {
        for (let chunk; count < place.length && (chunk = await download.next()); ) {
          const part = chunk.subarray(0, place.length - count)
          place.set(part, count)
          count += part.length
        }
        identity = download.identity
        return count
      } catch (error) {
        throw named(remote, error)
      } finally {
        download.close()
      }
    },
    close() {},
  }
}

/** This file, except that `complete` verifies its checksum and fails with `invalid-file` if it is wrong. */
export function verified(file: ModelFile, hash: Sha256, expected: string): ModelFile {
  let hashed = 0
  async function read(at: number, place: Uint8Array): Promise<number> {
    const count = await file.read(at, place)
    if (at <= hashed && hashed < at + count) {
      hash.update(place.subarray(hashed - at, count))
      hashed = at + count
    }
    return count
  }
  return {
    name: file.name,
    get size() {
      return file.size
    },
    get cached() {
      return file.cached
    },
    read,
    async complete(end) {
      const rest = new Uint8Array(mostPadding)
      while ((await read(hashed, rest)) > 0) {
        if (hashed > end + mostPadding) throw wrongFile(`${file.name} does not end after its ${end} bytes`)
      }
      const sum = hash.digest()
      if (sum !== expected) throw wrongSum(file.name, sum, expected)
    },
    close: () => file.close(),
  }
}
