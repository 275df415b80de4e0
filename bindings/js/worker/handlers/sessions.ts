// Handlers for sessions and memory use, which need no pass.
import type { Handler } from '../host.js'

export const openSession: Handler<'openSession'> = ({ engine }, _, { session }) => engine.openSession(session)

export const forkSession: Handler<'forkSession'> = ({ engine }, _, { session, from }) => {
  engine.forkSession(from, session)
  return engine.sessionTokens(session)
}

export const restoreSession: Handler<'restoreSession'> = ({ engine }, _, { session, bytes }) => {
  engine.restoreSession(session, bytes)
  return engine.sessionTokens(session)
}

export const truncateSession: Handler<'truncateSession'> = ({ engine }, _, { session, length }) => {
  engine.truncateSession(session, length)
  return engine.sessionTokens(session)
}

export const sessionTokens: Handler<'sessionTokens'> = ({ engine }, _, { session }) => engine.sessionTokens(session)

export const saveSession: Handler<'saveSession'> = ({ engine }, _, { session }) => engine.saveSession(session)

export const closeSession: Handler<'closeSession'> = ({ engine }, _, { session }) => engine.closeSession(session)

export const memory: Handler<'memory'> = ({ engine }) => engine.memory()
