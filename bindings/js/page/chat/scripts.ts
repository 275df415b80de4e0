// The scripts of chats that are fetched when they are first needed.
import { fetched } from '../later.js'

/** Chats, whose templates run in a worker. */
export const converseScript = () => fetched('converse.js', import('./converse-script.js'))

/** heed/chat, which runs templates in the thread that asks. */
export const chatScript = () => fetched('chat.js', import('./script.js'))
