import HtmlWebpackPlugin from 'html-webpack-plugin'

export default {
  entry: './main.js',
  plugins: [new HtmlWebpackPlugin({ template: './index.html' })],
  // Warns about the size of scripts only: the model has to be large.
  performance: { assetFilter: name => name.endsWith('.js') },
  // With these headers the page can use threads; without them, Heed runs on one.
  devServer: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
}
