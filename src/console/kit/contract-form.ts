import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { FieldError } from '../../kernel/errors.ts'
import type { Static, TSchema } from '../../kernel/shape.ts'
import type { CallError } from '../call-error.ts'
import { errorText } from '../error-text.ts'
import { fieldText } from '../refusal-text.ts'
import { limitsOf, rulesOf } from './form-rules.ts'

export interface ContractForm<V extends FieldValues> {
  form: UseFormReturn<V>
  schema: TSchema
  /** Puts what the server refused beside its fields; what belongs to none stands above the buttons. */
  place: (error: CallError) => void
  /** The values to send: empty text of a field that may be left out is left out. */
  tidy: (values: V) => V
}

/** A form over one schema of a contract; limits and messages come from the schema, never from the page. */
export function useContractForm<T extends TSchema>(
  schema: T,
  defaults: DefaultValues<Static<T> & FieldValues>,
): ContractForm<Static<T> & FieldValues> {
  type V = Static<T> & FieldValues
  const form = useForm<V>({ defaultValues: defaults, mode: 'onTouched' })

  const place = (error: CallError) => {
    const elsewhere: string[] = []
    for (const field of error.fields) {
      const name = nameOf(field.pointer)
      if (field.in === 'body' && limitsOf(schema, name)) {
        form.setError(name as Path<V>, { type: 'server', message: sentenceOf(schema, name, field) })
      } else {
        elsewhere.push(`${field.pointer || field.in}: ${fieldText(field)}`)
      }
    }
    const first = error.fields.find(field => field.in === 'body')
    if (first) form.setFocus(nameOf(first.pointer) as Path<V>)
    if (error.fields.length === 0) elsewhere.push(errorText(error))
    if (elsewhere.length > 0) form.setError('root', { type: 'server', message: elsewhere.join(' ') })
  }

  const tidy = (values: V): V =>
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== '' || limitsOf(schema, name)?.isRequired),
    ) as V

  return { form, schema, place, tidy }
}

/** `/prices/0/amount` is the form's `prices.0.amount`. */
function nameOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

/** Of a pattern the schema may have an example. */
function sentenceOf(schema: TSchema, name: string, field: FieldError): string {
  const pattern = field.rule === 'pattern' ? rulesOf(schema, name).pattern : undefined
  return pattern?.message ?? fieldText(field)
}
