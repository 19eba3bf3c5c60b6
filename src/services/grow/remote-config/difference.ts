import { isDeepStrictEqual } from 'node:util'
import type { Template } from './rules.ts'

export type Thing = 'parameter' | 'condition' | 'group' | 'order'
export type Change = 'added' | 'changed' | 'removed'

/** One thing that two templates do not have alike. */
export interface Difference {
  thing: Thing
  name: string
  change: Change
  before: unknown
  after: unknown
}

/** Every thing of a template by kind and name; the order of conditions is one. */
function thingsOf({ conditions, parameters, groups }: Template): Map<string, [Thing, string, unknown]> {
  const found = new Map<string, [Thing, string, unknown]>()
  const put = (thing: Thing, name: string, what: unknown) => found.set(`${thing} ${name}`, [thing, name, what])
  for (const [name, parameter] of Object.entries(parameters)) put('parameter', name, parameter)
  for (const condition of conditions) put('condition', condition.name, condition)
  for (const [name, group] of Object.entries(groups)) put('group', name, group)
  return found
}

/** What came, went and changed, parameters first; a new order of conditions is one difference. */
export function differenceOf(before: Template, after: Template): Difference[] {
  const [left, right] = [thingsOf(before), thingsOf(after)]
  const found: Difference[] = []
  for (const [id, [thing, name, was]] of left) {
    const now = right.get(id)
    if (!now) found.push({ thing, name, change: 'removed', before: was, after: null })
    else if (!isDeepStrictEqual(was, now[2])) found.push({ thing, name, change: 'changed', before: was, after: now[2] })
  }
  for (const [id, [thing, name, now]] of right)
    if (!left.has(id)) found.push({ thing, name, change: 'added', before: null, after: now })
  const [was, now] = [namesOf(before), namesOf(after)]
  const inBoth = (names: string[], others: string[]) => names.filter(name => others.includes(name))
  if (was.length > 0 && !isDeepStrictEqual(inBoth(was, now), inBoth(now, was)))
    found.push({ thing: 'order', name: '', change: 'changed', before: was, after: now })
  return found.sort((a, b) => order[a.thing] - order[b.thing] || (a.name < b.name ? -1 : 1))
}

const order: Record<Thing, number> = { parameter: 0, condition: 1, order: 2, group: 3 }
const namesOf = ({ conditions }: Template) => conditions.map(one => one.name)

/** One thing that either side changed since both began; a conflict where both did, and not alike. */
export interface ThreeWay {
  thing: Thing
  name: string
  base: unknown
  theirs: unknown
  mine: unknown
  isConflict: boolean
}

/** What changed on both sides since `base`, conflicts first. */
export function threeWayOf(base: Template, theirs: Template, mine: Template): ThreeWay[] {
  const index = (list: Difference[]) => new Map(list.map(one => [`${one.thing} ${one.name}`, one]))
  const [left, right] = [index(differenceOf(base, theirs)), index(differenceOf(base, mine))]
  const found: ThreeWay[] = []
  for (const id of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(id), right.get(id)]
    const known = (a ?? b)!
    const was = known.before
    const [after, own] = [a ? a.after : was, b ? b.after : was]
    const isConflict = a !== undefined && b !== undefined && !isDeepStrictEqual(after, own)
    found.push({ thing: known.thing, name: known.name, base: was, theirs: after, mine: own, isConflict })
  }
  return found.sort((a, b) => Number(b.isConflict) - Number(a.isConflict))
}

/** Their template with what is changed on our side; where both changed a thing, the side that is named wins. */
export function mergeOf(base: Template, theirs: Template, mine: Template, prefer: 'mine' | 'theirs'): Template {
  const merged: Template = {
    conditions: [...theirs.conditions],
    parameters: { ...theirs.parameters },
    groups: { ...theirs.groups },
  }
  for (const one of threeWayOf(base, theirs, mine)) {
    const isTheirs = isDeepStrictEqual(one.mine, one.base) || (one.isConflict && prefer === 'theirs')
    if (isTheirs) continue
    if (one.thing === 'parameter') put(merged.parameters, one.name, one.mine)
    if (one.thing === 'group') put(merged.groups, one.name, one.mine)
    if (one.thing === 'condition') putCondition(merged, one.name, one.mine as Template['conditions'][number] | null)
    if (one.thing === 'order') reorder(merged, one.mine as string[])
  }
  return merged
}

function put(into: Record<string, unknown>, name: string, what: unknown): void {
  if (what === null) delete into[name]
  else into[name] = what
}

function putCondition(into: Template, name: string, what: Template['conditions'][number] | null): void {
  const at = into.conditions.findIndex(one => one.name === name)
  if (what === null) into.conditions = into.conditions.filter(one => one.name !== name)
  else if (at === -1) into.conditions.push(what)
  else into.conditions[at] = what
}

function reorder(into: Template, names: readonly string[]): void {
  const place = new Map(names.map((name, at) => [name, at]))
  const at = (name: string) => place.get(name) ?? names.length
  into.conditions.sort((a, b) => at(a.name) - at(b.name))
}
