import HtmlWebpackPlugin from 'html-webpack-plugin'

export default {
  entry: './main.js',
  plugins: [new HtmlWebpackPlugin({ template: './index.html' })],
  // Of what is large it is to warn in scripts only: the model is, and has to be.
  performance: { assetFilter: name => name.endsWith('.js') },
  // With these headers the page may have threads; without them Heed computes on one.
  devServer: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
}
