// A page of Chromium with only what a page of Firefox has, so that a test for both browsers that cannot run in Firefox fails in Chromium,
// where it runs every day.
import { firefoxPage } from './firefox-page.mjs'

/** `pdf` is of tests that ask which browser it is. */
const model = { ...firefoxPage(() => {}, ''), pdf: undefined }
const ofLocators = model.locator('')

/** What only Playwright's selectors have. */
const isOwn = selector => />>|:(has-)?text\b|:text-is|:visible\b|^(text|role|xpath)=/.test(selector)
/** Methods whose first argument is a string, but no selector. */
const withoutSelector = new Set(['evaluate', 'waitForFunction', 'goto'])

function narrowed(target, allowed, name) {
  return new Proxy(target, {
    get(target, key) {
      const value = target[key]
      if (typeof key !== 'string' || key === 'then') return value
      if (!(key in allowed)) throw new TypeError(`${name}.${key} is not in tools/browsers/firefox-page.mjs`)
      if (typeof value !== 'function') return value
      return (first, ...others) => {
        if (typeof first === 'string' && !withoutSelector.has(key) && isOwn(first))
          throw new TypeError(`${first} is not a selector that Firefox has`)
        const result = value.call(target, first, ...others)
        return key === 'locator' ? narrowed(result, ofLocators, 'locator') : result
      }
    },
  })
}

export const narrowPage = page => narrowed(page, model, 'page')
