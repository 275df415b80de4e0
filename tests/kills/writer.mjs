// A process that writes until it is killed. Its argument is JSON, that of `write`; each line of its output says how far it is.
import { writeSync } from 'node:fs'
import * as heed from 'heed'
import { write } from './writing.mjs'

await write(heed, JSON.parse(process.argv[2]), told => writeSync(1, `${JSON.stringify(told)}\n`))
