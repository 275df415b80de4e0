// The `lint` suite: each file is a test, which fails if the linter reports anything in it.
import { findings } from '../style/biome.mjs'

export async function lintTests() {
  const { files, found } = await findings()
  for (const { path, line, message, rule } of found) console.error(`${path}:${line}: ${message} (${rule})`)
  if (found.length > 0) console.error('`npm run format` fixes some findings and explains the rest')
  const failed = new Set(found.map(({ path }) => path)).size
  return { passed: files - failed, failed, skipped: 0 }
}
