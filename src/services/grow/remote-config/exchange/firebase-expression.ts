import type { Rule } from '../../../../kernel/targeting/rule.ts'

/** What a foreign expression says, as a rule; with `drawsAnew` where the share stays and who is in it does not. */
export type Translated = { rule: Rule; drawsAnew: boolean } | { reason: string }

type Part = { rule: Rule; drawsAnew?: true } | null

const list = String.raw`\(?\[\s*((?:'[^']*'\s*,?\s*)*)\]\)?`
const attributeOf = String.raw`(app\.version|app\.build|app\.userProperty\['([^']+)'\]|app\.customSignal\['([^']+)'\])`
const methods: Record<string, 'contains' | 'ncontains' | 'eq' | 'regex'> = {
  contains: 'contains',
  notContains: 'ncontains',
  exactlyMatches: 'eq',
  matches: 'regex',
}
const comparisons: Record<string, 'lt' | 'lte' | 'eq' | 'ne' | 'gte' | 'gt'> = {
  '<': 'lt',
  '<=': 'lte',
  '==': 'eq',
  '=': 'eq',
  '!=': 'ne',
  '>=': 'gte',
  '>': 'gt',
}

const textsIn = (text: string) => [...text.matchAll(/'([^']*)'/g)].map(found => found[1] ?? '')
const anyOf = (rules: Rule[]): Rule => (rules.length === 1 ? rules[0]! : { op: 'or', args: rules })
const not = (rule: Rule): Rule => ({ op: 'not', args: [rule] })

/** Each form of a term, tried in turn. A term that is none of them is not mapped. */
const forms: [pattern: RegExp, build: (found: string[], seed: string) => Part][] = [
  [/^true$/, () => ({ rule: { op: 'and', args: [] } })],
  [/^false$/, () => ({ rule: not({ op: 'and', args: [] }) })],
  [/^app\.id\s*==\s*'([^']+)'$/, ([, id = '']) => ({ rule: { attr: 'app.firebaseId', op: 'eq', value: id } })],
  [
    /^device\.(country|language)\s+in\s+\[((?:\s*'[^']*'\s*,?)*)\]$/,
    ([, what = '', texts = '']) => ({ rule: { attr: `device.${what}`, op: 'in', value: textsIn(texts) } }),
  ],
  [
    /^device\.os\s*(==|!=)\s*'([^']+)'$/,
    ([, sign, os = '']) => ({ rule: { attr: 'device.os', op: sign === '==' ? 'eq' : 'ne', value: os } }),
  ],
  [new RegExp(`^${attributeOf}\\.(contains|notContains|exactlyMatches|matches)\\(${list}\\)$`), methodTerm],
  [new RegExp(`^${attributeOf}\\.(<=|>=|==|!=|<|>|=)\\(${list}\\)$`), comparisonTerm],
  [new RegExp(`^${attributeOf}\\s*(<=|>=|==|!=|<|>)\\s*(-?[\\d.]+)$`), comparisonTerm],
  [
    /^percent(?:\('([^']*)'\))?\s*(<=|>)\s*([\d.]+)$/,
    ([, named, sign, text = ''], seed) => {
      const share = Number(text)
      return sign === '<=' ? drawn(named ?? seed, 0, share) : drawn(named ?? seed, share, 100)
    },
  ],
  [
    /^percent(?:\('([^']*)'\))?\s+between\s+([\d.]+)\s+and\s+([\d.]+)$/,
    ([, named, from = '', to = ''], seed) => drawn(named ?? seed, Number(from), Number(to)),
  ],
  [
    /^device\.dateTime\s*(<|>=|>|<=)\s*dateTime\('([^']+)'(?:,\s*'([^']+)')?\)$/,
    ([, sign = '', at = '', zone = 'UTC']) => {
      const before: Rule = { attr: '$now', op: 'before', value: at, zone }
      return { rule: sign.startsWith('<') ? before : not(before) }
    },
  ],
]

function drawn(seed: string, lo: number, hi: number): Part {
  if (!(lo >= 0 && hi <= 100 && lo <= hi)) return null
  const value = { ns: 'rollout' as const, seed, unitAttr: 'targetingKey', lo, hi }
  return { rule: { attr: 'targetingKey', op: 'percent', value }, drawsAnew: true }
}

const nameOf = (whole: string, property?: string, signal?: string) =>
  property !== undefined ? `user.${property}` : signal !== undefined ? `signal.${signal}` : whole

function methodTerm([, whole = '', property, signal, method = '', texts = '']: string[]): Part {
  const op = methods[method]
  const values = textsIn(texts)
  if (!op || values.length === 0) return null
  const attr = nameOf(whole, property, signal)
  if (op === 'eq') return { rule: { attr, op: 'in', value: values } }
  const rules = values.map((value): Rule => ({ attr, op, value }))
  return { rule: op === 'ncontains' && rules.length > 1 ? { op: 'and', args: rules } : anyOf(rules) }
}

function comparisonTerm([, whole = '', property, signal, sign = '', text = '']: string[]): Part {
  const op = comparisons[sign]
  const value = text.includes("'") ? textsIn(text)[0] : text
  if (!op || value === undefined) return null
  const attr = nameOf(whole, property, signal)
  if (whole === 'app.version') {
    if (!/^\d+(\.\d+){0,2}([-+].*)?$/.test(value)) return null
    const leaf = (name: 'semver_lt' | 'semver_lte' | 'semver_eq' | 'semver_gte' | 'semver_gt'): Rule => ({
      ...{ attr, op: name, value: value.split('.').length < 3 ? padded(value) : value },
    })
    return { rule: op === 'ne' ? not(leaf('semver_eq')) : leaf(`semver_${op}`) }
  }
  const number = Number(value)
  return Number.isFinite(number) ? { rule: { attr, op, value: number } } : null
}

const padded = (version: string) => [...version.split('.'), '0', '0'].slice(0, 3).join('.')

/** An expression of a Firebase condition as a rule. What cannot be said so is told, never guessed. */
export function fromFirebase(expression: string, seed: string): Translated {
  const terms = expression.split('&&').map(term => term.trim())
  const rules: Rule[] = []
  let drawsAnew = false
  for (const term of terms) {
    const part = partOf(term, seed)
    if (!part) return { reason: `${term} has no like here` }
    rules.push(part.rule)
    drawsAnew ||= part.drawsAnew === true
  }
  return { rule: rules.length === 1 ? rules[0]! : { op: 'and', args: rules }, drawsAnew }
}

function partOf(term: string, seed: string): Part {
  if (term.length > 4_000) return null
  for (const [pattern, build] of forms) {
    const found = pattern.exec(term)
    if (found) return build(found as unknown as string[], seed)
  }
  return null
}
