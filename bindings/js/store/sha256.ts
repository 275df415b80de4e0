// Incremental SHA-256: https://csrc.nist.gov/pubs/fips/180-4/upd1/final. Browsers use hash-wasm, because Web Crypto only hashes
// whole buffers.
import { createSHA256 } from 'hash-wasm'

export interface Sha256 {
  update(bytes: Uint8Array): void
  /** The checksum of all data so far, in hexadecimal; more data may follow. */
  digest(): string
  /** Saves the current state, to which `back` returns. */
  mark(): void
  back(): void
  restart(): void
}

export async function sha256(): Promise<Sha256> {
  const hash = await createSHA256()
  hash.init()
  let marked = hash.save()
  return {
    update: bytes => {
      hash.update(bytes)
    },
    digest() {
      const state = hash.save()
      const digest = hash.digest()
      hash.load(state)
      return digest
    },
    mark() {
      marked = hash.save()
    },
    back: () => {
      hash.load(marked)
    },
    restart: () => {
      hash.init()
    },
  }
}
