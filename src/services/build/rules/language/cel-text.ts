import type { ASTNode } from './cel-tree.ts'

/** A node as text that reads as the same again. The one that comes with the library loses large numbers. */
export function celText(node: ASTNode): string {
  switch (node.op) {
    case 'value':
      return literal(node.args)
    case 'id':
      return node.args
    case '.':
    case '.?':
      return `${inner(node.args[0])}${node.op}${node.args[1]}`
    case '[]':
    case '[?]':
      return `${inner(node.args[0])}${node.op === '[]' ? '[' : '[?'}${celText(node.args[1])}]`
    case 'call':
      return `${node.args[0]}(${listed(node.args[1])})`
    case 'rcall':
      return `${inner(node.args[1])}.${node.args[0]}(${listed(node.args[2])})`
    case 'list':
      return `[${listed(node.args)}]`
    case 'map':
      return `{${node.args.map(([key, value]) => `${celText(key)}: ${celText(value)}`).join(', ')}}`
    case '!_':
      return `!${inner(node.args)}`
    case '-_':
      return `-${inner(node.args)}`
    case '?:': {
      const [condition, yes, no] = node.args
      return `${inner(condition)} ? ${inner(yes)} : ${inner(no)}`
    }
    default: {
      const [left, right] = node.args as [ASTNode, ASTNode]
      return `${inner(left)} ${node.op} ${inner(right)}`
    }
  }
}

const listed = (nodes: readonly ASTNode[]) => nodes.map(celText).join(', ')
const plain = new Set(['value', 'id', '.', '.?', '[]', '[?]', 'call', 'rcall', 'list', 'map'])

function inner(node: ASTNode): string {
  const text = celText(node)
  return plain.has(node.op) ? text : `(${text})`
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return /[.e]/.test(String(value)) ? exact(value) : `${value}.0`
  if (value instanceof Uint8Array) {
    return `b"${[...value].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`
  }
  if (value !== null && typeof value === 'object') return `${String(value)}u`
  return String(value)
}

/** `1e+300` is no number of CEL without a point or a plain exponent. */
const exact = (value: number) => String(value).replace('e+', 'e')

function quoted(text: string): string {
  const escaped = [...text]
    .map(char => {
      const code = char.codePointAt(0)!
      if (char === '"' || char === '\\') return `\\${char}`
      return code < 32 || code === 127 ? `\\u${code.toString(16).padStart(4, '0')}` : char
    })
    .join('')
  return `"${escaped}"`
}
