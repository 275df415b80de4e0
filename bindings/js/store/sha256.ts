// SHA-256 of what comes piece by piece: https://csrc.nist.gov/pubs/fips/180-4/upd1/final. In browsers by hash-wasm, because
// the browser's own takes whole files only.
import { createSHA256 } from 'hash-wasm'

export interface Sha256 {
  update(bytes: Uint8Array): void
  /** Of all that came so far, in hexadecimal; more may come. */
  digest(): string
  /** Remembers this state, for `back`. */
  mark(): void
  back(): void
  restart(): void
}

export async function sha256(): Promise<Sha256> {
  const hash = await createSHA256()
  hash.init()
  let marked = hash.save()
  return {
    update: bytes => { hash.update(bytes) },
    digest() {
      const state = hash.save()
      const digest = hash.digest()
      hash.load(state)
      return digest
    },
    mark() { marked = hash.save() },
    back: () => { hash.load(marked) },
    restart: () => { hash.init() },
  }
}
