// heed/isolation: threads on hosts that cannot send the headers for them. A service worker adds the headers to everything that
// the page loads; the page is reloaded once.
export { isolate, type IsolateOptions } from './isolation/isolate.js'
export { type IsolationOptions, type IsolationPolicy, withIsolation } from './isolation/with-isolation.js'
