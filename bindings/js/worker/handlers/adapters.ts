// Handlers that read a model's additional files: adapters, control vectors, projectors and drafts.
import { HeedError, refuse } from '../../wire/errors.js'
import { numberOf } from '../changes.js'
import type { Handler } from '../host.js'

/** Runs `use`; errors that it throws name the file. */
function naming<Result>(what: string, use: () => Result): Result {
  try {
    return use()
  } catch (error) {
    const { code, message } = HeedError.from(error)
    throw new HeedError(code, `${what}: ${message}`, { cause: error })
  }
}

export const loadAdapter: Handler<'loadAdapter'> = async (host, state, { name, ...file }) => {
  const checkIsNew = () => {
    if (host.adapters.has(name)) throw refuse(`loadAdapter: there is an adapter "${name}" already`)
  }
  checkIsNew()
  await host.useFile(state, file, (bytes, from) => {
    checkIsNew() // another call may have been faster
    host.adapters.set(
      name,
      naming(`adapter "${name}": ${from}`, () => host.engine.addAdapter(bytes)),
    )
  })
}

export const unloadAdapter: Handler<'unloadAdapter'> = (host, _, { name }) => {
  naming('unloadAdapter', () => host.engine.removeAdapter(numberOf(host, name)))
  host.adapters.delete(name)
}

export const controlVector: Handler<'controlVector'> = (host, state, file) =>
  host.useFile(state, file, (bytes, from) => naming(`controlVector: ${from}`, () => host.engine.controlVector(bytes)))

export const loadBeside: Handler<'loadBeside'> = (host, state, { what, ...file }) =>
  host.readBeside(what, state, file).catch(error =>
    naming(what, (): never => {
      throw error
    }),
  )
