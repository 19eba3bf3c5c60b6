import { useTranslation } from 'react-i18next'
import { resolved, type Schema } from './open-api.ts'

interface SchemaTreeProps {
  schema: Schema
  schemas: Record<string, Schema>
  depth?: number
}

const deepest = 8

/** A schema as a tree: every field with its type, its limits and what it is. */
export function SchemaTree({ schema: given, schemas, depth = 0 }: SchemaTreeProps) {
  const schema = resolved(given, schemas)
  const fields = fieldsOf(schema)
  if (fields.length === 0 || depth > deepest) return null
  return (
    <ul className="reference-tree">
      {fields.map(([name, field, isRequired]) => (
        <SchemaField key={name} name={name} field={field} isRequired={isRequired} schemas={schemas} depth={depth} />
      ))}
    </ul>
  )
}

/** The fields below a schema: an object's own, an array's items' own. */
function fieldsOf(schema: Schema): [string, Schema, boolean][] {
  const inner = innerOf(schema)
  const own = Object.entries(inner.properties ?? {}).map(([name, field]): [string, Schema, boolean] => [
    name,
    field,
    inner.required?.includes(name) ?? false,
  ])
  const others = Object.values(inner.patternProperties ?? {})
  return [...own, ...others.map((field): [string, Schema, boolean] => ['*', field, false])]
}

function innerOf(schema: Schema): Schema {
  if (schema.items) return innerOf(schema.items)
  const object = schema.anyOf?.find(one => one.type !== 'null')
  return object ? innerOf(object) : schema
}

interface SchemaFieldProps {
  name: string
  field: Schema
  isRequired: boolean
  schemas: Record<string, Schema>
  depth: number
}

function SchemaField({ name, field: given, isRequired, schemas, depth }: SchemaFieldProps) {
  const { t } = useTranslation('ground/reference')
  const field = resolved(given, schemas)
  return (
    <li>
      <code className="reference-name">{name}</code> <span className="reference-type">{typeText(field)}</span>{' '}
      {isRequired && <span className="reference-required">{t('schema.required')}</span>}
      <SchemaLimits schema={field} />
      <SchemaTree schema={field} schemas={schemas} depth={depth + 1} />
    </li>
  )
}

export function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' | ')
  if (schema.enum) return 'enum'
  if (schema.type === 'array') return `${typeText(schema.items ?? {})}[]`
  return Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any')
}

function limitsOf(schema: Schema): { key: string; values: Record<string, unknown> }[] {
  const inner = schema.anyOf?.find(one => one.type !== 'null') ?? schema
  const found: { key: string; values: Record<string, unknown> }[] = []
  const range = (key: string, min: number | undefined, max: number | undefined) => {
    if (min !== undefined && max !== undefined) found.push({ key: `${key}Between`, values: { min, max } })
    else if (max !== undefined) found.push({ key: `${key}Most`, values: { max } })
    else if (min !== undefined && min > 0) found.push({ key: `${key}Least`, values: { min } })
  }
  range('length', inner.minLength || undefined, inner.maxLength)
  range('value', inner.minimum, inner.maximum)
  range('items', inner.minItems || undefined, inner.maxItems)
  if (inner.uniqueItems) found.push({ key: 'unique', values: {} })
  return found
}

/** What a value must be like besides its type. */
export function SchemaLimits({ schema }: { schema: Schema }) {
  const { t } = useTranslation('ground/reference')
  const inner = schema.anyOf?.find(one => one.type !== 'null') ?? schema
  const words = (inner.items?.enum ?? inner.enum)?.filter(value => value !== null) ?? []
  const limits = limitsOf(schema).map(({ key, values }) => t(`limits.${key}`, values))
  return (
    <>
      {limits.length > 0 && <span className="lg-soft"> {limits.join(' · ')}</span>}
      {inner.description && (
        <span className="lg-soft" lang="en">
          {' '}
          {inner.description}
        </span>
      )}
      {inner.pattern && inner.pattern !== '\\S' && (
        <span className="reference-pattern">
          {' '}
          <code>{inner.pattern}</code>
        </span>
      )}
      {words.length > 0 && (
        <span className="reference-pattern" lang="en">
          {' '}
          {words.map(word => String(word)).join(', ')}
        </span>
      )}
    </>
  )
}
