// The newest wllama (https://www.npmjs.com/package/@wllama/wllama) for comparisons of memory; those of speed take the one that a clone installs.
import { join } from 'node:path'
import { installPeer } from './peers.mjs'

const name = '@wllama/wllama'

/** Resolves to the folder with its script index.js. */
export async function installWllama() {
  return join(await installPeer('wllama', { [name]: '3.13.0' }), 'node_modules', name, 'esm')
}
