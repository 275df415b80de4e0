// The glue of a WebAssembly module as a script that is no module: that of its threads' workers, where it starts by
// itself; and the engine worker runs it, and takes it from `heedGlue`.
import create from '#glue/module'
import { started } from './platform/start-worker.js'

if ((globalThis as { name?: string }).name === 'em-pthread') postMessage(started)
else Object.assign(globalThis, { heedGlue: create })
