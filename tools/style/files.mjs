// The files whose style is checked, by folder and extension, without build output and installed packages.
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { inRoot } from '../paths.mjs'

const notOurs = new Set(['build', 'dist', 'node_modules'])

/** The paths, relative to the project, of all files below `folders` with one of these extensions. */
export function filesIn(folders, endings) {
  const below = folder =>
    readdirSync(inRoot(folder), { withFileTypes: true }).flatMap(entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : below(path)
      return endings.includes(extname(entry.name)) ? [path] : []
    })
  return folders.flatMap(below).sort()
}
