import type { ASTNode } from '@marcbachmann/cel-js'
import type { Reads } from './values.ts'

export type { ASTNode } from '@marcbachmann/cel-js'

/** What a node is made of. */
export function childrenOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'list':
      return node.args
    case 'map':
      return node.args.flat()
    case '!_':
    case '-_':
      return [node.args]
    default:
      return node.args as ASTNode[]
  }
}

export function countNodes(node: ASTNode): number {
  return childrenOf(node).reduce((sum, child) => sum + countNodes(child), 1)
}

export function walk(node: ASTNode, visit: (node: ASTNode) => void): void {
  visit(node)
  for (const child of childrenOf(node)) walk(child, visit)
}

/** `resource.data.title` as its names, from the variable on; null when it is anything else. */
export function placeOf(node: ASTNode): string[] | null {
  if (node.op === 'id') return [node.args]
  if (node.op === '.') {
    const before = placeOf(node.args[0])
    return before && [...before, node.args[1]]
  }
  if (node.op === '[]' && node.args[1].op === 'value' && typeof node.args[1].args === 'string') {
    const before = placeOf(node.args[0])
    return before && [...before, node.args[1].args]
  }
  return null
}

export const isNull = (node: ASTNode) => node.op === 'value' && node.args === null

/** What a condition reads of each variable, so that no more than that is converted for it. */
export function readsOf(root: ASTNode): Map<string, Reads> {
  const reads = new Map<string, Reads>()
  const add = (place: string[], last: Reads) => {
    let level = reads
    place.forEach((name, index) => {
      const known = level.get(name)
      if (known === 'all') {
        level = new Map()
        return
      }
      if (index === place.length - 1 && last === 'all') {
        level.set(name, 'all')
        return
      }
      const next = known ?? new Map<string, Reads>()
      level.set(name, next)
      level = next
    })
  }
  const look = (node: ASTNode, parent: ASTNode | null) => {
    const place = placeOf(node)
    if (place) {
      // Whether something is null does not need what is in it.
      const isComparison = parent?.op === '==' || parent?.op === '!='
      const isPresence = isComparison && parent.args.some(isNull)
      add(place, isPresence ? new Map() : 'all')
      return
    }
    for (const child of childrenOf(node)) look(child, node)
  }
  look(root, null)
  return reads
}
