// The versions of Node that run tests: the one that has relaxed SIMD and that the AI SDK requires, and the oldest that users may have.
import { join } from 'node:path'
import { nodeFolder } from '../environments/install.mjs'

/** The path of the newer one: this process's, if it is new enough, or one from npm in the cache folder. */
export const newNode = async () =>
  Number.parseInt(process.versions.node, 10) >= 24 ? process.execPath : join(await nodeFolder(24), 'node')

/** The path of the oldest one. */
export const oldNode = async () => join(await nodeFolder(20), 'node')
