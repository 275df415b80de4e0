// Headers of Parcel's development server that let the page use threads.
module.exports = app =>
  app.use((request, response, next) => {
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
    next()
  })
