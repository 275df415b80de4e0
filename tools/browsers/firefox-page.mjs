// A page of Firefox with the methods of Playwright's pages that tests of both browsers use. Clicks and keys are real ones.
import { writeFileSync } from 'node:fs'
import { takeDownProblems } from './webdriver.mjs'

const pauseMs = 25
/** Playwright's default timeout. */
const patienceMs = 30_000

/** The key by which WebDriver names an element in JSON: https://www.w3.org/TR/webdriver2/#elements */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Keys without a character of their own: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  ' ': ' ',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
}

/**
 * A script has a sandbox of its own as its global object, which inherits from the window. Here, `globalThis` is the window, so that
 * values that a step stores there exist in the next step.
 */
const evaluation = expression => `
  const [argument, done] = arguments
  if (!window.heedProblems) { ${takeDownProblems} }
  const settle = settled => done({ ...settled, problems: window.heedProblems.splice(0) })
  ;(async globalThis => ${expression})(window).then(value => settle({ value }), error => settle({ error: String(error) }))`

/** The elements of the page and of its viewer that match a selector, visible ones if there are any. */
const finding = `
  const [selector] = arguments
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  const found = roots.flatMap(root => [...root.querySelectorAll(selector)])
  return found.find(one => one.checkVisibility()) ?? found[0] ?? null`

/** Whether an error only means that the page was replaced during a command, or has not been drawn yet. */
const isPassing = ({ message }) =>
  /unloaded|NoSuchElement|no such element|stale element|intercepted|not interactable|no such window|Actor|aborted by navigation/i.test(
    message,
  )

/** Calls `look` until its result is truthy. Rejects after Playwright's timeout. */
async function until(look, what, timeout = patienceMs) {
  const end = timeout === 0 ? Infinity : Date.now() + timeout
  let last
  while (Date.now() < end) {
    try {
      const found = await look()
      if (found) return found
    } catch (error) {
      if (!isPassing(error)) throw error
      last = error
    }
    await new Promise(resolve => {
      setTimeout(resolve, pauseMs)
    })
  }
  throw new Error(`Firefox: ${what} did not come${last ? `: ${last.message}` : ''}`)
}

/** `sendTo` sends a command to a tab (`toWindows` of webdriver.mjs); the page is that of the tab `handle`. */
export function firefoxPage(sendTo, handle) {
  const problems = []
  const told = (command, parameters) => sendTo(handle, command, parameters)

  async function evaluate(body, argument) {
    const expression = typeof body === 'function' ? `(${body})(argument)` : `(${body})`
    const settled = await told('executeAsync', { script: evaluation(expression), args: [argument ?? null] })
    if (!settled) throw new Error('Firefox: a script was aborted by navigation')
    problems.push(...settled.problems)
    if (settled.error) throw new Error(`in Firefox: ${settled.error}`)
    return settled.value ?? undefined
  }

  const find = selector => until(() => told('execute', { script: finding, args: [selector] }), selector)
  const idOf = async selector => (await find(selector))[elementKey]
  /** Runs `body(element, argument)` with the element. */
  async function within(selector, body, argument) {
    const element = await find(selector)
    return told('execute', { script: `return (${body})(arguments[0], arguments[1])`, args: [element, argument ?? null] })
  }
  const click = selector =>
    until(async () => {
      if (!(await within(selector, element => element.checkVisibility() && !element.matches(':disabled')))) return false
      await told('clickElement', { id: await idOf(selector) })
      return true
    }, `a click on ${selector}`)

  /** Presses keys, such as Control+a, one after another. */
  async function press(...chords) {
    const actions = chords.flatMap(chord => {
      const values = chord === '+' ? ['+'] : chord.split('+').map(name => keys[name] ?? name)
      return [...values.map(value => ({ type: 'keyDown', value })), ...values.toReversed().map(value => ({ type: 'keyUp', value }))]
    })
    await told('performActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  const see = (selector, look) => within(selector, look)
  const count = selector => told('execute', { script: 'return document.querySelectorAll(arguments[0]).length', args: [selector] })
  const isVisible = async selector => (await count(selector)) > 0 && see(selector, element => element.checkVisibility())
  const setInputFiles = async (selector, paths) =>
    told('sendKeysToElement', { id: await idOf(selector), text: [paths].flat().join('\n') })

  const page = {
    problems,
    evaluate,
    waitForFunction: (body, argument, { timeout } = {}) => until(() => evaluate(body, argument), `${body}`, timeout),
    waitForSelector: (selector, { state = 'visible' } = {}) =>
      until(async () => {
        const isThere = (await count(selector)) > 0
        return state === 'attached'
          ? isThere
          : state === 'detached'
            ? !isThere
            : (await isVisible(selector)) === (state === 'visible')
      }, selector),
    click,
    focus: selector => see(selector, element => element.focus()),
    fill: (selector, text) =>
      within(
        selector,
        (element, text) => {
          element.focus()
          element.value = text
          for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }))
        },
        text,
      ),
    async press(selector, key) {
      await page.focus(selector)
      await press(key)
    },
    keyboard: { press, type: text => press(...text) },
    async check(selector) {
      if (!(await see(selector, element => element.checked))) await click(selector)
    },
    async uncheck(selector) {
      if (await see(selector, element => element.checked)) await click(selector)
    },
    selectOption: (selector, value) =>
      within(
        selector,
        (element, value) => {
          element.value = value
          for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }))
        },
        value,
      ),
    isVisible,
    isHidden: async selector => !(await isVisible(selector)),
    isChecked: selector => see(selector, element => element.checked),
    isDisabled: selector => see(selector, element => element.disabled),
    inputValue: selector => see(selector, element => element.value),
    textContent: selector => see(selector, element => element.textContent),
    innerText: selector => see(selector, element => element.innerText),
    getAttribute: (selector, name) => within(selector, (element, name) => element.getAttribute(name), name),
    setInputFiles,
    locator: selector => ({
      click: () => click(selector),
      count: () => count(selector),
      isVisible: () => isVisible(selector),
      isHidden: () => page.isHidden(selector),
      setInputFiles: paths => setInputFiles(selector, paths),
      textContent: () => page.textContent(selector),
      evaluateAll: body => evaluate(`(${body})([...document.querySelectorAll(${JSON.stringify(selector)})])`),
      allTextContents: () =>
        told('execute', {
          script: 'return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)',
          args: [selector],
        }),
    }),
    goto: url => told('navigate', { url }),
    reload: () => told('refresh'),
    goBack: () => told('back'),
    goForward: () => told('forward'),
    url: () => told('currentUrl'),
    /** Sets the size of the page's viewport, which may be smaller than any window, as on a phone. */
    async setViewportSize({ width, height }) {
      await told('setContext', { value: 'chrome' })
      try {
        await told('execute', {
          script: `
            const browser = gBrowser.selectedBrowser
            Object.assign(browser.style, { width: arguments[0] + 'px', height: arguments[1] + 'px', minWidth: '0', flex: 'none' })`,
          args: [width, height],
        })
      } finally {
        await told('setContext', { value: 'content' })
      }
      await page.waitForFunction(width => innerWidth === width, width)
    },
    /** `media` is print, screen, or null to stop emulating. */
    async emulateMedia({ media }) {
      await told('setContext', { value: 'chrome' })
      try {
        await told('execute', {
          script: "gBrowser.selectedBrowser.browsingContext.mediumOverride = arguments[0] ?? ''",
          args: [media],
        })
      } finally {
        await told('setContext', { value: 'content' })
      }
      await page.waitForFunction(media => matchMedia('print').matches === (media === 'print'), media)
    },
    screenshot: async ({ path } = {}) => {
      const bytes = Buffer.from(await told('screenshot', { full: false }), 'base64')
      if (path) writeFileSync(path, bytes)
      return bytes
    },
    close: () => told('closeWindow'),
  }
  return page
}
