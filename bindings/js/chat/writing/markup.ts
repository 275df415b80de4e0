// Calls in a kind of XML, which formats/xml.ts reads: texts are written as they are, other values as JSON.
import { inOrder, membersOf, type Writing } from './members.js'
import { anyCall, control, gap, upTo, wideGap, type WriteCalls } from './parts.js'

/** A value up to its closing tag. The tags are control tokens in GLM's vocabulary. */
const upToTag = (before: string, after: string, tag: string): Writing => ({
  text: [before, upTo(tag)],
  given: text => [before, text, after, control(tag)],
  other: value => [before, value, after, control(tag)],
})

const qwenCall = anyCall(tool => [
  `${tool.name}>\n`,
  inOrder(membersOf(tool, upToTag('\n', '\n', '</parameter>')), '', ({ key, value }) => [`<parameter=${key}>`, value, '\n']),
  '</function>',
])
export const qwenXml: WriteCalls = (tools, opener, follow) => {
  const close = opener === '<function=' ? '' : control(opener.replace('<', '</'))
  return [opener === '<function=' ? '' : [gap, '<function='], follow(qwenCall(tools), [gap, '<function=']), gap, close]
}

const minicpm5Value: Writing = {
  ...upToTag('', '', '</param>'),
  text: { until: [{ marker: '</param>' }, { marker: '<![CDATA[', next: upTo(']]></param>') }] },
}
export const minicpm5 = anyCall(tool => [
  `${tool.name}">`,
  inOrder(membersOf(tool, minicpm5Value), '', ({ key, value }) => [gap, `<param name="${key}">`, value]),
  gap,
  '</function>',
])

export const glm = anyCall(tool => [
  tool.name,
  inOrder(membersOf(tool, upToTag('', '', '</arg_value>')), '', ({ key, value }) => [
    wideGap,
    control('<arg_key>'),
    key,
    control('</arg_key>'),
    wideGap,
    control('<arg_value>'),
    value,
  ]),
  wideGap,
  control('</tool_call>'),
])
