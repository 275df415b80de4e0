// The glue of a WebAssembly module as a classic script. In a thread's worker it starts by itself; the engine worker runs it and
// takes the export from `heedGlue`.
import create from '#glue/module'
import { started } from './wire/worker-life.js'

if ((globalThis as { name?: string }).name === 'em-pthread') postMessage(started)
else Object.assign(globalThis, { heedGlue: create })
