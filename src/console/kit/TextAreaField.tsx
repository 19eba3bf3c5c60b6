import Textarea from '@cloudscape-design/components/textarea'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, FormField } from './FormField.tsx'

/** Several lines of text. */
export function TextAreaField<V extends FieldValues>({ rows = 5, ...props }: FieldProps<V> & { rows?: number }) {
  return (
    <FormField {...props}>
      {(field, isRequired) => (
        <Textarea
          ref={field.ref}
          name={field.name}
          rows={rows}
          value={String(field.value ?? '')}
          ariaRequired={isRequired}
          onBlur={field.onBlur}
          onChange={({ detail }) => field.onChange(detail.value)}
        />
      )}
    </FormField>
  )
}
