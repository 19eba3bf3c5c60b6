import { refuse } from '../../../../kernel/errors.ts'
import { s3Errors } from './rules.ts'

export interface Node {
  name: string
  text: string
  children: Node[]
}

const mostNodes = 40_000
const mostDepth = 10
const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/**
 * Reads the few plain forms that S3 clients send: elements and text. There are no document types and no entities of one's
 * own, so nothing can be expanded or fetched.
 */
export function readXml(source: string): Node {
  const text = source.replace(/^\ufeff?\s*(?:<\?xml[^>]*\?>)?/, '')
  const root: Node = { name: '', text: '', children: [] }
  const open = [root]
  let nodes = 0
  const pattern = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text)
    if (!match) refuse(s3Errors.badXml, { reason: 'it has something other than elements and text' })
    const [, slash, name = '', , isEmpty, words] = match
    const top = open.at(-1) as Node
    if (words !== undefined) top.text += unescaped(words)
    else if (slash) {
      if (open.length === 1 || top.name !== localName(name))
        refuse(s3Errors.badXml, { reason: `${name} is closed but was not opened` })
      open.pop()
    } else {
      const node: Node = { name: localName(name), text: '', children: [] }
      if (++nodes > mostNodes || open.length > mostDepth) refuse(s3Errors.badXml, { reason: 'it is too large' })
      top.children.push(node)
      if (!isEmpty) open.push(node)
    }
  }
  const [only] = root.children
  if (open.length !== 1 || root.children.length !== 1 || !only || root.text.trim() !== '')
    refuse(s3Errors.badXml, { reason: 'it is not one whole element' })
  return only
}

export function childrenOf(node: Node, name: string): Node[] {
  return node.children.filter(child => child.name === name)
}

/** The text of a child; undefined where there is none. */
export function textOf(node: Node, name: string): string | undefined {
  return childrenOf(node, name)[0]?.text
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function unescaped(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w+);?/g, (_whole, entity: string) => {
    if (entity.startsWith('#')) {
      const code = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
      if (code > 0x10ffff) refuse(s3Errors.badXml, { reason: `${entity} is no character` })
      return String.fromCodePoint(code)
    }
    return named[entity] ?? refuse(s3Errors.badXml, { reason: `${entity} is not one of XML's own five` })
  })
}
