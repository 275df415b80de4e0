// For Vite: the addresses that package.json has, as links in the footer and in the page's head. What has none is left out.

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
const webAddress = address => address?.replace(/^git\+/, '').replace(/\.git$/, '')

/** The links of the footer, and the tags of the head, as HTML. */
export function linksOf({ homepage, repository }) {
  const source = webAddress(typeof repository === 'string' ? repository : repository?.url)
  const links = [['The package and its documentation', homepage], ['Source', source]]
    .filter(([, address]) => address)
    .map(([name, address]) => `<a href="${escape(address)}">${name}</a>`)
  return {
    footer: links.length > 0 ? `<p class="links">${links.join(' ')}</p>` : '',
    head: homepage ? `<meta property="og:url" content="${escape(homepage)}">` : '',
  }
}

export const pageLinks = description => ({
  name: 'heed:page-links',
  transformIndexHtml(html) {
    const { footer, head } = linksOf(description)
    return html.replace('<!-- links -->', footer).replace('<!-- address -->', head)
  },
})
