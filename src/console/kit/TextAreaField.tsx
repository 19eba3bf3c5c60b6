import Textarea from '@cloudscape-design/components/textarea'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, FormField } from './FormField.tsx'

interface TextAreaProps {
  rows?: number
  /** The BCP 47 tag of the text, where it is not in the language of the page. */
  lang?: string
}

/** Several lines of text. */
export function TextAreaField<V extends FieldValues>({ rows = 5, lang, ...props }: FieldProps<V> & TextAreaProps) {
  return (
    <FormField {...props}>
      {(field, isRequired) => (
        <Textarea
          ref={field.ref}
          name={field.name}
          rows={rows}
          nativeTextareaAttributes={{ lang }}
          value={String(field.value ?? '')}
          ariaRequired={isRequired}
          onBlur={field.onBlur}
          onChange={({ detail }) => field.onChange(detail.value)}
        />
      )}
    </FormField>
  )
}
