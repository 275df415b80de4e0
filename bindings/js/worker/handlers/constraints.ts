// Handlers for compiled constraints.
import { type Handler, resting } from '../host.js'

export const compile: Handler<'compile'> = async (host, state, { constraint }) =>
  (await host.constraints()).hold(constraint, resting(host, state))
export const release: Handler<'release'> = async (host, _, { constraint }) => (await host.constraints()).release(constraint)
export const accepts: Handler<'accepts'> = async (host, state, { constraint, text }) =>
  (await host.constraints()).accepts(constraint, text, resting(host, state))
