// A Vite plugin that puts links into the footer: to the addresses in package.json, as far as there are any, and to the licenses of
// what the page contains of others (third-party.js).

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
const webAddress = address => address?.replace(/^git\+/, '').replace(/\.git$/, '')

/** The footer links as HTML. */
export function linksOf({ homepage, repository }) {
  const source = webAddress(typeof repository === 'string' ? repository : repository?.url)
  const links = [
    ['Manual', 'manual/'],
    ['The package', homepage],
    ['Source', source],
    ['Third-party licenses', 'THIRD-PARTY.txt'],
  ]
    .filter(([, address]) => address)
    .map(([name, address]) => `<a href="${escape(address)}">${name}</a>`)
  return `<p class="links">${links.join(' ')}</p>`
}

export const pageLinks = description => ({
  name: 'heed:page-links',
  transformIndexHtml: html => html.replace('<!-- links -->', linksOf(description)),
})
