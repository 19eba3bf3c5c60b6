import i18next from 'i18next'
import type { FieldError } from '../kernel/errors.ts'
import type { CallError } from './call-error.ts'
import { errorText } from './error-text.ts'

const limitSentences: Readonly<Record<string, (limit: number) => string>> = {
  minimum: min => i18next.t('form.min', { min }),
  maximum: max => i18next.t('form.max', { max }),
  minLength: count => i18next.t('form.minLength', { count }),
  maxLength: count => i18next.t('form.maxLength', { count }),
}

/** What is wrong with a field in the language on screen where the rule is one of a schema, else in the server's words. */
export function fieldText({ rule, limit, message }: FieldError): string {
  if (rule === 'required') return i18next.t('form.required')
  if (limit !== undefined) return limitSentences[rule]?.(limit) ?? message
  // The server has nothing but the pattern itself to show.
  if (rule === 'type' || (rule === 'pattern' && message.startsWith('must match'))) return i18next.t('form.pattern')
  return message
}

/**
 * Why a call was refused, with each refused field under the name that it has on the page.
 *
 * @param scopes where the names of fields are in the translations of the service: `retry` for `retry.waitMs`
 */
export function refusalText(error: CallError, ...scopes: string[]): string {
  const fields = error.fields.map(field => {
    const label = labelOf(error.service, field.pointer, scopes)
    return label === '' ? fieldText(field) : `${label}: ${fieldText(field)}`
  })
  return [errorText(error), ...fields].join(' ')
}

/** Of the innermost part that has a name; the pointer itself where none has. */
function labelOf(ns: string, pointer: string, scopes: readonly string[]): string {
  const language = i18next.resolvedLanguage ?? 'zh'
  for (const part of pointer.split('/').slice(1).reverse())
    for (const key of [...scopes.map(scope => `${scope}.${part}`), part]) {
      const label = i18next.getResource(language, ns, key) as unknown
      if (typeof label === 'string') return label
    }
  return pointer
}
