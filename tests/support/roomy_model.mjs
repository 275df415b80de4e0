// The default model as one that was trained for a context so long that 32-bit memory does not hold its keys and values: a
// small file that needs 64-bit memory, of which it then takes little, because keys and values come with tokens.
import { readFileSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'

const key = 'llama.context_length'
const typeBytes = 4

/** What it is asked to make room for: 4 GB and more. */
export const roomyContext = 2 ** 22

export function roomyModel() {
  const bytes = readFileSync(inRoot('dist/heed-stories.gguf'))
  bytes.writeUInt32LE(roomyContext, bytes.indexOf(key) + key.length + typeBytes)
  return bytes
}
