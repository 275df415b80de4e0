// The store in Node.
import { openFolder } from './folder-node.js'
import type { StorePlace } from './folder.js'
import { nodeLocks } from './locks-node.js'

export async function nodeStore(part?: 'kept'): Promise<StorePlace | undefined> {
  const folder = await openFolder(part)
  return folder && { folder, locks: nodeLocks }
}
