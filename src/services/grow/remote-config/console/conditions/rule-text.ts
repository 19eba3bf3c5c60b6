import { isGroup, type Leaf, type Rule } from '../../../../../kernel/targeting/rule.ts'

const signs: Partial<Record<Leaf['op'], string>> = { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' }

/** A rule in one line, as programs would write it: the same in every language. */
export function ruleText(rule: unknown): string {
  return textOf(rule as Rule, 0)
}

function textOf(rule: Rule, depth: number): string {
  if (!isGroup(rule)) return leafText(rule)
  if (rule.op === 'not') return `!(${rule.args[0] ? textOf(rule.args[0], depth + 1) : ''})`
  if (rule.args.length === 0) return rule.op === 'and' ? '*' : '–'
  const joined = rule.args.map(arg => textOf(arg, depth + 1)).join(rule.op === 'and' ? ' && ' : ' || ')
  return depth > 0 && rule.args.length > 1 ? `(${joined})` : joined
}

function leafText({ attr, op, value }: Leaf): string {
  if (op === 'percent') {
    const { lo = 0, hi = 100, unitAttr = attr } = (value ?? {}) as { lo?: number; hi?: number; unitAttr?: string }
    return `${unitAttr}: ${lo}–${hi} %`
  }
  const told = Array.isArray(value) ? value.slice(0, 8).join(', ') : value === undefined ? '' : String(value)
  return `${attr} ${signs[op] ?? op} ${told}`.trim()
}
