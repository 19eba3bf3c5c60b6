import type { XmlAttribute, XmlElement } from '../apk/binary-xml.ts'
import { attributeIds, isReference } from '../apk/manifest-values.ts'

const limit = 400_000
const typeString = 3
const typeFloat = 4
const typeHex = 0x11
const typeFlag = 0x12
const nameById = new Map<number, string>(Object.entries(attributeIds).map(([name, id]) => [id, name]))

/** A manifest as people write it, for reading; resources stay ids. Cut where it is longer than anybody reads. */
export function manifestText(root: XmlElement): string {
  const lines: string[] = []
  let left = limit
  const add = (line: string) => {
    left -= line.length + 1
    if (left > 0) lines.push(line)
  }
  write(root, 0, add, () => left > 0)
  return lines.join('\n').toWellFormed()
}

function write(element: XmlElement, depth: number, add: (line: string) => void, hasRoom: () => boolean): void {
  if (!hasRoom()) return
  const indent = '  '.repeat(depth)
  const attributes = element.attributes.map(one => `\n${indent}    ${nameOf(one)}="${escaped(valueText(one))}"`)
  const head = `${indent}<${escaped(element.name)}${attributes.length === 1 ? attributes.join('').replace(/\n\s+/, ' ') : attributes.join('')}`
  if (element.children.length === 0) {
    add(`${head}/>`)
    return
  }
  add(`${head}>`)
  for (const child of element.children) write(child, depth + 1, add, hasRoom)
  add(`${indent}</${escaped(element.name)}>`)
}

/** Names may be stripped from a package; ids may not. */
function nameOf({ name, resourceId }: XmlAttribute): string {
  if (resourceId === 0) return escaped(name)
  return `android:${escaped(name) || nameById.get(resourceId) || hex(resourceId)}`
}

function valueText(attribute: XmlAttribute): string {
  const { type, data, text } = attribute
  if (isReference(attribute)) return `@${hex(data)}`
  if (type === typeString) return text ?? ''
  if (type === typeFlag) return data === 0 ? 'false' : 'true'
  if (type === typeHex) return hex(data)
  if (type === typeFloat) return String(new Float32Array(new Uint32Array([data]).buffer)[0])
  return text ?? String(data | 0)
}

const hex = (value: number) => `0x${value.toString(16).padStart(8, '0')}`

function escaped(value: string): string {
  return value
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[&<>"]/g, found => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[found] ?? found)
}
