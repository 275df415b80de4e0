// This package's own version, which is Heed's as well: both are published together.
import { readFileSync } from 'node:fs'

export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
