// Prepares the page before a model is loaded: starts its service worker, which enables threads and stores its files.
import { isolate } from 'heed/isolation'

const serviceWorker = 'service-worker.js'
const patienceMs = 5000

/**
 * Resolves once the service worker handles the page's requests. If the host does not send the headers for threads, the page is
 * reloaded once, with these headers. If service workers are blocked, the page works only online. In development, Vite sends the
 * headers.
 */
export async function prepare(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { controller } = navigator.serviceWorker
  const inCharge = new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  try {
    await navigator.serviceWorker.register(serviceWorker)
  } catch {
    return
  }
  await isolate({ serviceWorker })
  if (!controller) await Promise.race([inCharge, new Promise(resolve => setTimeout(resolve, patienceMs))]) // after a forced reload, there is none
}
