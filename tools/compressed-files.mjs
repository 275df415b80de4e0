// Serves files as gzip: compresses them on the first request, and keeps the result while the file does not change.
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export const compressText = promisify(gzip)

const kept = new Map() // path → {version, bytes}

/** Whether files of a media type become smaller: text and WebAssembly do, weights do not. */
export const shrinks = type => /^text\/|^application\/(?:wasm|json|manifest\+json)|\+xml/.test(type)

export const acceptsGzip = ({ headers }) => /\bgzip\b/.test(headers['accept-encoding'] ?? '')

/** Resolves to the compressed bytes of a file, {path, version}. */
export async function compressedFile({ path, version }) {
  const found = kept.get(path)
  if (found?.version === version) return found.bytes
  const bytes = compressText(await readFile(path))
  kept.set(path, { version, bytes })
  return bytes
}
