// Serves the page while its WebAssembly modules are being built: a request for a missing one waits for it, and the page says so.
// The service worker waits for all of them, because it caches every file.
import { readFileSync } from 'node:fs'

const moduleFile = /\/heed-([a-z\d]+)[^/]*\.(?:js|wasm)$/
const scriptName = 'heed-still-building.js'
const script = readFileSync(new URL('still-building.js', import.meta.url))
const isolated = { 'Cross-Origin-Resource-Policy': 'same-origin', 'Cache-Control': 'no-cache' }

/**
 * Follows the building of modules: `building` maps their names to promises, which reject if a build fails; `page` is the path of
 * the page. Returns {handle, change, report}: two options of serve(), and `report(text)` for the build's progress.
 */
export function buildingSite(building, page) {
  const left = new Set(Object.keys(building))
  const requests = new Map() // name → requests that wait
  const listeners = new Set()
  let progress = 'waiting'

  function tell() {
    const waiting = [...requests].filter(([name, count]) => count > 0 && left.has(name)).map(([name]) => `heed-${name}`)
    const message = `data: ${JSON.stringify({ waiting, progress, done: left.size === 0 })}\n\n`
    for (const response of listeners) response.write(message)
  }
  for (const [name, built] of Object.entries(building)) {
    built
      .catch(() => {})
      .then(() => {
        left.delete(name)
        tell()
      })
  }

  async function wait(name) {
    requests.set(name, (requests.get(name) ?? 0) + 1)
    tell()
    try {
      await building[name]
    } finally {
      requests.set(name, requests.get(name) - 1)
      tell()
    }
  }

  return {
    report(text) {
      progress = text
      tell()
    },
    /** Answers a request, or waits until its file is there; resolves to whether it has answered. */
    async handle(request, response) {
      const { pathname } = new URL(request.url, 'http://localhost')
      const name = moduleFile.exec(pathname)?.[1]
      try {
        if (name in building) await wait(name)
        if (pathname === '/service-worker.js') await Promise.all(Object.values(building))
      } catch (error) {
        response.writeHead(503, { ...isolated, 'Content-Type': 'text/plain' }).end(error.message)
        return true
      }
      if (left.size === 0) return false
      if (pathname === '/heed-still-building') {
        response.writeHead(200, { ...isolated, 'Content-Type': 'text/event-stream' })
        listeners.add(response)
        response.on('close', () => listeners.delete(response))
        tell()
        return true
      }
      if (pathname === `/${scriptName}`) {
        response.writeHead(200, { ...isolated, 'Content-Type': 'text/javascript' }).end(script)
        return true
      }
      return false
    },
    /** The page, with a script that shows which modules are still being built. */
    change: (path, content) =>
      left.size > 0 && path === page
        ? content.toString().replace('</head>', `<script src="./${scriptName}" defer></script></head>`)
        : content,
  }
}
