// The store's script in a browser: a classic script, like the engine worker's script, which runs it on demand.
import { browserStore } from './store/place-browser.js'
import { sha256 } from './store/sha256.js'
import { openStore } from './store/store.js'

Object.assign(globalThis, { heedStore: openStore({ sha256, store: browserStore }) })
