// The project's root folder, whatever the current folder is, and the folder of everything that clones share.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const inRoot = (...parts) => join(root, ...parts)

/** Increase this when older cached toolchains can no longer be used. */
const recipe = 1

/** The cache folder: the toolchain, compiled code, npm's packages. It may be deleted at any time. */
export function cacheFolder() {
  const { HEED_CACHE, XDG_CACHE_HOME } = process.env
  return join(HEED_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'heed'), `toolchain-${recipe}`)
}
