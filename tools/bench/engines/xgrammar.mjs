// XGrammar as a package for pages (https://www.npmjs.com/package/@mlc-ai/web-xgrammar).
import { join } from 'node:path'
import { installPeer } from './peers.mjs'

const name = '@mlc-ai/web-xgrammar'

/** Resolves to the folder with its script index.js. */
export async function installXGrammar() {
  return join(await installPeer('xgrammar', { [name]: '0.1.27' }), 'node_modules', name, 'lib')
}
