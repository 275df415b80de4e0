// The store in Node.
import { openFolder } from './folder-node.js'
import type { StorePlace } from './folder.js'
import { nodeLocks } from './locks-node.js'

export async function nodeStore(part?: 'kept', create?: boolean): Promise<StorePlace | undefined> {
  const folder = await openFolder(part, create)
  return folder && { folder, locks: nodeLocks }
}
