// What the pictures show, each in a window of its own.

const story = 'A fox named Pip lost a lantern near the river. An owl called Ada found it.'
const desk = { size: { width: 1280, height: 800 }, colorScheme: 'light', scale: 1 }

/** Asks, and waits until the answer is there and the viewer shows its attention. */
export async function ask(page, text) {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending)
  await settled(page)
}

/** Waits until what was asked of the viewer is shown. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector('heed-viewer').attention)
  await page.evaluate(() => document.querySelector('heed-viewer').settled())
}

async function showSource(page) {
  await page.getByRole('button', { name: 'Where did it find that?' }).last().click()
  await settled(page)
}

/** Scrolls to an element of the page, of the viewer or its own. */
const scrollTo = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate(element => element.scrollIntoView({ block: 'start' }))

export const scenes = [
  { name: 'first', ...desk, prepare: async () => {} },
  {
    name: 'answer',
    ...desk,
    async prepare(page) {
      await ask(page, `${story} Who found the lantern?`)
      await showSource(page)
    },
  },
  {
    name: 'heads',
    ...desk,
    colorScheme: 'dark',
    async prepare(page) {
      await ask(page, `${story} Who found the lantern?`)
      await page.evaluate(() => {
        document.querySelector('heed-viewer').panel = 'overview'
      })
      await settled(page)
      await page.evaluate(() => document.querySelector('heed-viewer').goToPanel())
    },
  },
  {
    name: 'lens',
    ...desk,
    async prepare(page) {
      await ask(page, `${story} Who lost the lantern?`)
      await page.click('#lens summary')
      await page.waitForFunction(
        () => document.querySelector('#lens-grid td') && document.querySelector('#lens-status').textContent === '',
      )
      await scrollTo(page, '#lens')
    },
  },
  {
    name: 'phone',
    size: { width: 390, height: 844 },
    colorScheme: 'dark',
    scale: 2,
    async prepare(page) {
      await ask(page, `${story} Who found the lantern?`)
    },
  },
]
