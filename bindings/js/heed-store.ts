// The store's script in a browser, which the engine worker runs once it needs it; no module, like that one's own.
import { browserStore } from './store/place-browser.js'
import { sha256 } from './store/sha256.js'
import { openStore } from './store/store.js'

Object.assign(globalThis, { heedStore: openStore({ sha256, store: browserStore }) })
