// The search: sections whose heading or text has the words that are typed. The index is fetched when the field is entered first.
import MiniSearch from 'minisearch'
import { find } from './find.js'
import { searchOptions } from './search-options.js'

const most = 12

/** Shows search results in a list beside `input`; arrow keys choose, Enter opens. */
export async function startSearch(input, home) {
  const list = document.querySelector('#found')
  const index = MiniSearch.loadJSON(await (await fetch(new URL('search.json', home))).text(), searchOptions)
  let chosen = -1

  const mark = at => {
    list.children[chosen]?.removeAttribute('aria-selected')
    chosen = at
    const entry = list.children[at]
    entry?.setAttribute('aria-selected', 'true')
    entry?.scrollIntoView({ block: 'nearest' })
    if (entry) input.setAttribute('aria-activedescendant', entry.id)
    else input.removeAttribute('aria-activedescendant')
  }

  const entryOf = ({ id, title, heading }, at) => {
    const entry = Object.assign(document.createElement('li'), { id: `found-${at}`, role: 'option' })
    const link = Object.assign(document.createElement('a'), { href: new URL(id, home).href, tabIndex: -1 })
    link.append(heading)
    if (title !== heading) link.append(Object.assign(document.createElement('small'), { textContent: title }))
    entry.append(link)
    return entry
  }

  const show = () => {
    const entries = find(index, input.value).slice(0, most).map(entryOf)
    const nothing = Object.assign(document.createElement('li'), { textContent: 'Nothing found' })
    list.replaceChildren(...(entries.length > 0 ? entries : [nothing]))
    list.hidden = input.value.trim() === ''
    input.setAttribute('aria-expanded', `${!list.hidden}`)
    mark(entries.length > 0 ? 0 : -1)
  }

  input.addEventListener('input', show)
  input.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      mark((chosen + step + list.children.length) % list.children.length)
    } else if (event.key === 'Enter') list.children[chosen]?.querySelector('a')?.click()
    else if (event.key === 'Escape') list.hidden = true
  })
  if (input.value) show()
}
