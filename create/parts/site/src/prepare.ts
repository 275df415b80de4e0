// What a page does before it loads a model: its service worker starts, which gives it threads and keeps its files.
import { isolate } from 'heed/isolation'

const serviceWorker = 'service-worker.js'
const patienceMs = 5000

/**
 * Resolves once the worker sees what the page fetches. Where the host does not send the headers that threads need, the page is
 * reloaded once, with them. Where service workers are blocked, the page works online. In development, Vite sends the headers.
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
  if (!controller) await Promise.race([inCharge, new Promise(resolve => setTimeout(resolve, patienceMs))]) // a forced reload has none
}
