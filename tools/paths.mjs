// The project's root folder, whatever the current folder is.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const inRoot = (...parts) => join(root, ...parts)
