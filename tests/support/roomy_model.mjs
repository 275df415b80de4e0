// The default model with a context length whose KV cache does not fit into 32-bit memory: a small file that needs 64-bit
// memory, but uses little of it, because the cache grows with the tokens.
import { readFileSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'

const key = 'llama.context_length'
const typeBytes = 4

/** The context length, for which the KV cache takes more than 4 GB: 8.6 GB with the default model of 10 layers, 2722 bytes a token. */
export const roomyContext = 3 * 2 ** 20

export function roomyModel() {
  const bytes = readFileSync(inRoot('dist/heed-stories.gguf'))
  bytes.writeUInt32LE(roomyContext, bytes.indexOf(key) + key.length + typeBytes)
  return bytes
}
