// dist/converse.js: chats, loaded at the first one. It does not contain Jinja, which is in heed-template.js.
export { converse } from './converse.js'
