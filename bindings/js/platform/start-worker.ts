// Starts workers in a browser: a page starts the engine's, which starts those of its threads. A script that the browser refuses,
// for its origin, headers or content type, is fetched and run as a copy; if that fails too, the error has the causes and a remedy.
import { HeedError } from '../errors.js'
import { fetchOwnFile } from '../fetch.js'

/** The first message of a worker's script. */
export const started = 'heed: started'

/** How long to wait for a browser that reports nothing. */
const patienceMs = 10_000

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** A script's address in the form that Trusted Types require: https://w3c.github.io/trusted-types */
function trusted(address: string): string {
  try {
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
    policy ??= trustedTypes?.createPolicy('heed', { createScriptURL: url => url })
  } catch {
    // The page does not allow the policy. If it requires one, it rejects the plain address next.
  }
  return policy?.createScriptURL(address) ?? address
}

/** Starts a worker; resolves once its script runs. Throws `network` or `unsupported`. */
export async function startWorker(address: string, name: string): Promise<Worker> {
  const refusals = watchRefusals()
  try {
    return await attempt(address, name)
  } catch (first) {
    const copy = await copyOf(address)
    try {
      return await attempt(copy, name)
    } catch (second) {
      throw new HeedError('unsupported', `The browser cannot run the worker ${address}: ${causes([first, second])}. `
        + remedy(refusals.directives()), { cause: first })
    } finally {
      URL.revokeObjectURL(copy)
    }
  } finally {
    refusals.close()
  }
}

/** Runs a script in this worker, which must be a classic worker. Throws `network` or `unsupported`. */
export async function runScript(address: string): Promise<void> {
  const run = (self as unknown as { importScripts(address: string): void }).importScripts.bind(self)
  const refusals = watchRefusals()
  try {
    run(trusted(address))
  } catch (first) {
    if (!(first instanceof DOMException || first instanceof TypeError)) throw first  // thrown by the script itself
    const copy = await copyOf(address)
    try {
      run(trusted(copy))
    } catch (second) {
      throw new HeedError('unsupported', `The browser cannot run ${address}: ${causes([first, second])}. `
        + remedy(refusals.directives()), { cause: first })
    } finally {
      URL.revokeObjectURL(copy)
    }
  } finally {
    refusals.close()
  }
}

function attempt(address: string, name: string): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(trusted(address), { name })
    const settle = (error?: Error) => {
      clearTimeout(timer)
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onError)
      if (!error) return resolve(worker)
      worker.terminate()
      reject(error)
    }
    const onMessage = ({ data }: MessageEvent) => { if (data === started) settle() }
    const onError = (event: ErrorEvent | Event) => {
      event.preventDefault()
      settle(new Error('message' in event && event.message ? event.message : 'it could not be loaded'))
    }
    const timer = setTimeout(() => settle(new Error(`it did not start within ${patienceMs / 1000} s`)), patienceMs)
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onError)
  })
}

const copies = new Map<string, Promise<Blob>>()

/** An address of this origin for a copy of a script from another origin. */
async function copyOf(address: string): Promise<string> {
  const copy = copies.get(address) ?? readScript(address)
  copies.set(address, copy)
  try {
    return URL.createObjectURL(await copy)
  } catch (error) {
    copies.delete(address)
    throw error
  }
}

/** Fetches a script. Throws `network` with the cause. */
async function readScript(address: string): Promise<Blob> {
  const response = await fetchOwnFile(address)
  return new Blob([await response.arrayBuffer()], { type: 'text/javascript' })
}

const causes = (errors: unknown[]) => [...new Set(errors.map(error => (error as Error).message))].join('; as a copy: ')

/** Collects the directives of the page's Content-Security-Policy that block something until `close` is called. */
function watchRefusals() {
  const target: EventTarget | undefined = globalThis.document ?? globalThis.self
  const directives = new Set<string>()
  const note = (event: Event) => directives.add((event as SecurityPolicyViolationEvent).effectiveDirective)
  target?.addEventListener('securitypolicyviolation', note)
  return {
    directives: () => [...directives],
    close: () => target?.removeEventListener('securitypolicyviolation', note),
  }
}

function remedy(directives: string[]): string {
  if (directives.includes('require-trusted-types-for') || directives.includes('trusted-types')) {
    return 'The Content-Security-Policy must allow the Trusted Types policy "heed": trusted-types heed.'
  }
  if (directives.length > 0) {
    return `The Content-Security-Policy blocks it by ${directives.join(', ')}: allow worker-src 'self', and also blob: if the `
      + 'package comes from another origin.'
  }
  return 'If the page is cross-origin isolated, the worker\'s script must also be served with the header '
    + 'Cross-Origin-Embedder-Policy; its content type must be text/javascript.'
}
