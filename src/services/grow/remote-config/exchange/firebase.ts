import {
  type Condition,
  type Parameter,
  type TagColor,
  type Template,
  tagColors,
  type Value,
  valueTypes,
} from '../rules.ts'
import { fromFirebase } from './firebase-expression.ts'
import { type Imported, never, objectOf, recordOf, textOf } from './imported.ts'

/** A template of Firebase Remote Config: what it says goes along, and what has no like here is told by name. */
export function importFirebase(source: unknown, seedOf: () => string): Imported {
  const file = objectOf(source, 'the file')
  const imported: Imported = { template: { conditions: [], parameters: {}, groups: {} }, notMapped: [], notes: [] }
  const { template } = imported
  for (const one of Array.isArray(file['conditions']) ? file['conditions'] : [])
    template.conditions.push(conditionOf(objectOf(one, 'a condition'), seedOf(), imported))
  takeParameters(recordOf(file['parameters']), null, imported)
  for (const [name, one] of Object.entries(recordOf(file['parameterGroups']))) {
    const group = objectOf(one, `the group ${name}`)
    template.groups[name] = { description: textOf(group['description']).slice(0, 256) }
    takeParameters(recordOf(group['parameters']), name, imported)
  }
  for (const name of Object.keys(file))
    if (!['conditions', 'parameters', 'parameterGroups', 'version', 'etag'].includes(name))
      imported.notMapped.push({ thing: 'field', name, reason: 'has no like here', source: '' })
  return imported
}

function conditionOf(one: Record<string, unknown>, seed: string, { notMapped, notes }: Imported): Condition {
  const name = textOf(one['name']).slice(0, 100)
  const expression = textOf(one['expression'])
  const found = fromFirebase(expression, seed)
  const color = textOf(one['tagColor']) as TagColor
  const tagColor = tagColors.includes(color) ? color : 'BLUE'
  const description = `Firebase: ${expression}`.slice(0, 256)
  if ('reason' in found) {
    notMapped.push({ thing: 'condition', name, reason: found.reason, source: expression.slice(0, 1_000) })
    return { name, rule: never, tagColor, seed, description }
  }
  if (found.drawsAnew) notes.push({ thing: 'condition', name, note: 'DRAWS_ANEW' })
  return { name, rule: found.rule, tagColor, seed, description }
}

function takeParameters(from: Record<string, unknown>, group: string | null, imported: Imported): void {
  for (const [key, one] of Object.entries(from))
    imported.template.parameters[key] = parameterOf(key, objectOf(one, key), group, imported)
}

function parameterOf(key: string, one: Record<string, unknown>, group: string | null, imported: Imported): Parameter {
  const conditional: Template['parameters'][string]['conditional'] = {}
  for (const [name, value] of Object.entries(recordOf(one['conditionalValues']))) {
    const taken = branchOf(key, name, value, imported)
    if (taken) conditional[name] = taken
  }
  const valueType = valueTypes.find(type => type === one['valueType']) ?? 'STRING'
  const fallback = one['defaultValue'] === undefined ? null : branchOf(key, 'default', one['defaultValue'], imported)
  return {
    ...{ valueType, schema: null, default: fallback ?? { useInAppDefault: true }, conditional, group },
    ...{ description: textOf(one['description']).slice(0, 256), owner: null, expiresAt: null },
  }
}

function branchOf(key: string, branch: string, value: unknown, { notMapped }: Imported): Value | null {
  const one = objectOf(value, key)
  if (typeof one['value'] === 'string') return { value: one['value'] }
  if (one['useInAppDefault'] === true) return { useInAppDefault: true }
  const reason = 'is filled by an experiment, a rollout or a personalisation, which stay behind'
  notMapped.push({ thing: 'value', name: `${key} / ${branch}`, reason, source: JSON.stringify(one).slice(0, 1_000) })
  return null
}
