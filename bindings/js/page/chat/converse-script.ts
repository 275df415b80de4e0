// dist/converse.js: chats, fetched at the first one. It has no Jinja: that is in heed-template.js.
export { converse } from './converse.js'
