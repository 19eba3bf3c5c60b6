import i18next from 'i18next'
import type { TSchema } from '../../kernel/shape.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  required?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  examples?: unknown[]
}

export interface Limits extends JsonSchema {
  /** Named by its parent and not satisfied by empty text. */
  isRequired: boolean
}

export interface FieldRules {
  required?: string
  minLength?: { value: number; message: string }
  maxLength?: { value: number; message: string }
  min?: { value: number; message: string }
  max?: { value: number; message: string }
  pattern?: { value: RegExp; message: string }
}

/** The limits of a field named as react-hook-form does, `prices.0.amount`; undefined when the schema has no such field. */
export function limitsOf(schema: TSchema, name: string): Limits | undefined {
  let at = schema as unknown as JsonSchema
  let isNamed = true
  for (const part of name.split('.')) {
    const isItem = /^\d+$/.test(part)
    const next = isItem ? at.items : at.properties?.[part]
    if (!next) return undefined
    isNamed = isItem || (at.required?.includes(part) ?? false)
    at = next
  }
  return { ...at, isRequired: isNamed && (at.type !== 'string' || (at.minLength ?? 0) > 0 || at.pattern !== undefined) }
}

/** The same limits as rules of react-hook-form, with sentences in the language on screen. */
export function rulesOf(schema: TSchema, name: string): FieldRules {
  const limits = limitsOf(schema, name)
  if (!limits) return {}
  const { minLength, maxLength, minimum, maximum, pattern, examples, isRequired, type } = limits
  const rules: FieldRules = {}
  if (isRequired && type !== 'boolean') rules.required = i18next.t('form.required')
  if (minLength !== undefined && minLength > 1) {
    rules.minLength = { value: minLength, message: i18next.t('form.minLength', { count: minLength }) }
  }
  if (maxLength !== undefined) {
    rules.maxLength = { value: maxLength, message: i18next.t('form.maxLength', { count: maxLength }) }
  }
  if (minimum !== undefined) rules.min = { value: minimum, message: i18next.t('form.min', { min: minimum }) }
  if (maximum !== undefined) rules.max = { value: maximum, message: i18next.t('form.max', { max: maximum }) }
  if (pattern === '\\S') rules.pattern = { value: /\S/, message: i18next.t('form.required') }
  else if (pattern !== undefined) {
    const example = examples?.[0]
    const message = example === undefined ? i18next.t('form.pattern') : i18next.t('form.patternLike', { example })
    rules.pattern = { value: new RegExp(pattern, 'u'), message }
  }
  return rules
}
