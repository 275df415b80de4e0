// The script of each page of the manual: the search, the contents on a wide screen, the copy buttons, and the files for offline use.
const { home: place, live: runsCode } = document.querySelector('script[data-home]').dataset
const home = new URL(place, location.href)
/** Whether `<!-- live -->` stands before a block. */
const isLive = ({ previousSibling: before }) => {
  while (before?.nodeType === Node.TEXT_NODE) before = before.previousSibling
  return before?.nodeType === Node.COMMENT_NODE && before.data.trim() === 'live'
}

const input = document.querySelector('#search')
input.addEventListener('focus', async () => (await import('./search.js')).startSearch(input, home), { once: true })
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return
  event.preventDefault()
  input.focus()
})

const contents = document.querySelector('.contents')
const wide = matchMedia('(min-width: 60rem)')
const unfold = () => {
  contents.open = wide.matches
}
wide.addEventListener('change', unfold)
unfold()

for (const block of document.querySelectorAll('pre')) {
  const runs = runsCode !== undefined && isLive(block)
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
  })
  const frame = Object.assign(document.createElement('div'), { className: 'code' })
  block.tabIndex = 0 // a long line scrolls
  block.replaceWith(frame)
  frame.append(block, button)
  if (runs) import('./live.js').then(({ makeLive }) => makeLive(block, frame, home))
}

if ('serviceWorker' in navigator) navigator.serviceWorker.register(new URL('service-worker.js', home)).catch(() => {}) // blocked: no offline use
