// Parcel's development server sends these headers: with them the page may have threads.
module.exports = app => app.use((request, response, next) => {
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
  next()
})
