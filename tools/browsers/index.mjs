// One way to use three browsers: a page at a URL runs a function and answers in JSON.
import { connectChromium } from './chromium.mjs'
import { startFirefox } from './firefox.mjs'
import { startWebkit } from './webkit.mjs'

const start = { chromium: connectChromium, firefox: startFirefox, webkit: startWebkit }

/**
 * Starts a browser by its name, with a fresh profile and no window to be seen, after installing it where it
 * is missing. Resolves to {name, open(url), close()}, and `open` to a page:
 * - evaluate(body, argument): what the function `body`, async or not, returns in the page. It sees nothing
 *   of the scope where it was written; argument and result pass as JSON. Rejects where it throws.
 * - problems: the errors that the page reported, as texts. Firefox and WebKit tell only of those after `open`
 *   resolved, at the end of an `evaluate`.
 * - close()
 * One call at a time, in WebKit over all pages.
 */
export async function startBrowser(name) {
  if (!(name in start)) {
    throw new Error(`unknown browser ${name}; known: ${Object.keys(start).join(', ')}`)
  }
  const browser = await start[name]()
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

/** An expression for a promise of {value} or {error} as JSON text, which never rejects. */
const evaluation = (body, argument) => `(async () => {
  try {
    return JSON.stringify({ value: await (${body})(${JSON.stringify(argument)}) })
  } catch (error) {
    return JSON.stringify({ error: String(error) })
  }
})()`
