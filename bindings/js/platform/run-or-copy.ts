// Runs scripts in a browser. If the browser refuses one because of its origin, headers or content type, fetches it and runs a copy;
// if that also fails, the error states the causes and a remedy.
import { HeedError } from '../wire/errors.js'
import { fetchOwnBytes } from './own-file.js'

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
    // The page does not allow this policy. If it requires Trusted Types, it then rejects the plain address.
  }
  return policy?.createScriptURL(address) ?? address
}

/** Runs a script with `run`, or a copy if `run` throws because the browser refuses it. Throws `network` or `unsupported`. */
export async function runOrCopy<Result>(address: string, run: (address: string) => Result | Promise<Result>): Promise<Result> {
  const refusals = watchRefusals()
  try {
    return await run(trusted(address))
  } catch (first) {
    const copy = await copyOf(address)
    try {
      return await run(trusted(copy))
    } catch (second) {
      throw new HeedError(
        'unsupported',
        `The browser cannot run ${address}: ${causes([first, second])}. ` + remedy(refusals.directives()),
        { cause: first },
      )
    } finally {
      URL.revokeObjectURL(copy)
    }
  } finally {
    refusals.close()
  }
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
const readScript = async (address: string): Promise<Blob> => new Blob([await fetchOwnBytes(address)], { type: 'text/javascript' })

const causes = (errors: unknown[]) => [...new Set(errors.map(error => (error as Error).message))].join('; as a copy: ')

/** Collects the directives of the Content-Security-Policy by which the page blocks something, until `close` is called. */
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
    return `The Content-Security-Policy blocks it by ${directives.join(', ')}: allow worker-src 'self', and blob: for a package of another origin.`
  }
  return (
    'Its content type must be text/javascript and, if the page is cross-origin isolated, it needs the header ' +
    'Cross-Origin-Embedder-Policy.'
  )
}
