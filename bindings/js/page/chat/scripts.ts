// The scripts of chats, loaded on demand.
import { fetched } from '../later.js'

/** Chats, whose templates run in a worker. */
export const converseScript = () => fetched('converse.js', import('./converse-script.js'))

/** heed/chat, which runs templates in the calling thread. */
export const chatScript = () => fetched('chat.js', import('./script.js'))
