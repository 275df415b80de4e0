// The modes of files that are packed. npm packs most of the mode that a file has here, which follows the user's mask: without this, the
// same package would have other bits on a machine where new files are private.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'

/** Files beside those that package.json lists in `files`, which npm packs in any case. */
const always = ['package.json', 'README.md', 'LICENSE']

const below = path => (statSync(path).isDirectory() ? readdirSync(path).flatMap(name => below(join(path, name))) : [path])

/**
 * Makes the files from which npm packs `folder` (relative to the project) readable for everybody: `names` and the files in them.
 */
export function setModes(folder, names) {
  for (const path of [...always, ...names].flatMap(name => below(inRoot(folder, name)))) chmodSync(path, 0o644)
}
