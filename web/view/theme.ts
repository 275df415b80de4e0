// The page's theme: the system's, light or dark. The choice is remembered; early-theme.js applies it before the first paint.
import { byId } from '../support/dom.js'

const key = 'heed-theme'

type Theme = 'system' | 'light' | 'dark'

/** Makes the color of the browser's own bars follow the page's. */
function colorBars(): void {
  const { backgroundColor } = getComputedStyle(document.documentElement)
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) meta.content = backgroundColor
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {} // if it cannot be stored, it holds for this visit
  colorBars()
}

export function offerThemes(): void {
  const place = byId('themes', HTMLFieldSetElement)
  const { theme = 'system' } = document.documentElement.dataset
  for (const input of place.querySelectorAll('input')) input.checked = input.value === theme
  place.addEventListener('change', ({ target }) => apply((target as HTMLInputElement).value as Theme))
  if (theme !== 'system') colorBars()
}
