// One interface to the browsers: opens a page, runs a function in it and returns its result as JSON.
import { connectChromium } from './chromium.mjs'
import { startFirefox } from './firefox.mjs'
import { startWebkit } from './webkit.mjs'

const start = {
  chromium: connectChromium,
  firefox: startFirefox,
  webkit: () => startWebkit('webkit'),
  // An option gives it threads, which Safari has, and on pages that are not isolated, too.
  'webkit-next': () => startWebkit('webkit-next', { JSC_useSharedArrayBuffer: '1' }),
}

/**
 * Starts a headless browser by name, with a new profile; installs it first if it is missing. `v8`: flags for its engine, only for
 * Chromium. Resolves to {name, open(url), close()}. `open` resolves to a page:
 * - evaluate(body, argument): runs the function `body`, async or not, in the page and resolves to its result. `body` is sent
 *   as source code, so it cannot use variables of its scope; argument and result are sent as JSON. Rejects if `body` throws.
 * - problems: the messages of errors that the page reported. Firefox and WebKit report only errors after `open` has resolved,
 *   and only at the end of an `evaluate`.
 * - close()
 * Make one call at a time; in WebKit, across all pages.
 */
export async function startBrowser(name, { v8 = [] } = {}) {
  if (!(name in start)) {
    throw new Error(`unknown browser ${name}; known: ${Object.keys(start).join(', ')}`)
  }
  if (v8.length > 0 && name !== 'chromium') throw new Error(`${name} does not take V8's flags`)
  const browser = await start[name]({ v8 })
  return {
    name,
    async open(url) {
      const { problems, run, close } = await browser.open(url)
      const evaluate = async (body, argument) => {
        const text = await run(evaluation(body, argument))
        const { value, error } = JSON.parse(text)
        if (error) throw new Error(`in ${name}: ${error}`)
        return value
      }
      return { problems, evaluate, close }
    },
    close: () => browser.close(),
  }
}

/** The source of an expression for a promise of {value} or {error} as JSON text, which never rejects. */
const evaluation = (body, argument) => `(async () => {
  try {
    return JSON.stringify({ value: await (${body})(${JSON.stringify(argument)}) })
  } catch (error) {
    return JSON.stringify({ error: String(error) })
  }
})()`
