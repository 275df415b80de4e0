// Models on a hub, Hugging Face or a mirror of it: hf:OWNER/REPOSITORY/PATH names a file, hf:OWNER/REPOSITORY:Q4_K_M the file or
// the parts of a quantization.
import type { HubOptions } from '../types/index.js'
import { refuse } from '../wire/errors.js'

/** A parsed source that starts with `hf:`. */
export interface HubFile {
  /** The unparsed source. */
  source: string
  repo: string
  path?: string
  quantization?: string
  revision: string
  endpoint: string
  token?: string
}

const defaultEndpoint = 'https://huggingface.co'
const defaultRevision = 'main'

const pattern = /^hf:([\w.-]+\/[\w.-]+)(?:\/(.+)|:([^/:\s]+))?$/

/** Whether a path stays within an address (no `..`): the token must not be sent to other paths of the endpoint. */
export const isPath = (path: string) => path.split('/').every(name => !/^\.{1,2}$|\p{Surrogate}/u.test(name))

/** Parses a source. Throws `invalid-argument`. */
export function readHubFile(
  source: string,
  { revision = defaultRevision, endpoint = defaultEndpoint, token }: HubOptions,
): HubFile {
  const [matched, repo, path, quantization] = pattern.exec(source) ?? []
  if (!matched || !isPath(`${repo}/${path}`)) {
    throw refuse(`source: "${source}" is neither hf:OWNER/REPOSITORY/FILE.gguf nor hf:OWNER/REPOSITORY:Q4_K_M`)
  }
  if (!isPath(revision)) throw refuse(`hub.revision: "${revision}" is no branch, tag or commit`)
  return { source, repo: repo!, path, quantization, revision, endpoint: endpoint.replace(/\/+$/, ''), token }
}

/** The store's name for a source, without default values. */
export const hubRecord = ({ source, revision, endpoint }: HubFile) => ({
  source,
  revision: revision === defaultRevision ? undefined : revision,
  endpoint: endpoint === defaultEndpoint ? undefined : endpoint,
})
