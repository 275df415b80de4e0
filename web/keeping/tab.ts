// Identifies this tab across reloads, so that its drafts are separate from those of others.

const key = 'heed-tab'
const lockOf = (tab: string) => `heed-tab ${tab}`
/** How long a page that is being reloaded may hold on to its tab. */
const patienceMs = 500

/**
 * Resolves when the page is left for good, to release its lock: the browser itself would do so only later, and a reload would look
 * like a copy of the tab.
 */
const left = () =>
  new Promise<void>(resolve => {
    addEventListener('pagehide', ({ persisted }) => {
      if (!persisted) resolve()
    })
  })

/** Claims a tab id for as long as this page exists. Resolves to false if another page holds the id: this tab is then its copy. */
async function take(tab: string): Promise<boolean> {
  if (!navigator.locks) return true
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), patienceMs)
  return new Promise(resolve => {
    const held = () => {
      clearTimeout(timer)
      resolve(true)
      return left()
    }
    navigator.locks.request(lockOf(tab), { signal: giveUp.signal }, held).catch(() => resolve(false))
  })
}

/** The id of this tab, and of the tab that it is a copy of. If it cannot be stored, it changes with a reload. */
export async function thisTab(): Promise<{ id: string; copyOf?: string }> {
  let before: string | null = null
  try {
    before = sessionStorage.getItem(key)
  } catch {}
  if (before && (await take(before))) return { id: before }
  const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  await take(id)
  try {
    sessionStorage.setItem(key, id)
  } catch {}
  return { id, ...(before && { copyOf: before }) }
}

/** The closed tabs among these; none if the browser cannot tell. */
export async function closed(tabs: readonly string[]): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  return navigator.locks ? tabs.filter(tab => !names.has(lockOf(tab))) : []
}
