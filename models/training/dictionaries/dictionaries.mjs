// The dictionaries of the bundled model: where they are, and the points that they read and rebuild. train.py has the same names.

export const dictionaries = [
  { name: 'resid-5', title: 'The state after layer 6 (autoencoder)', reads: 'resid.5', writes: 'resid.5' },
  { name: 'mlp-5', title: 'The MLP of layer 6 (transcoder)', reads: 'mlp.5.in', writes: 'mlp.5.out' },
]

export const folderOf = name => new URL(`../../dictionaries/${name}/`, import.meta.url)
