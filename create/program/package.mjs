// The version of this package, which is also Heed's, because both are published together.
import { readFileSync } from 'node:fs'

export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
