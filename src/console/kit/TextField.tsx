import Input, { type InputProps } from '@cloudscape-design/components/input'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, FormField } from './FormField.tsx'

type TextFieldProps<V extends FieldValues> = FieldProps<V> & Pick<InputProps, 'type' | 'placeholder' | 'inputMode'>

/** One line of text, or a number with `type="number"`. */
export function TextField<V extends FieldValues>({ type, placeholder, inputMode, ...props }: TextFieldProps<V>) {
  return (
    <FormField {...props}>
      {(field, isRequired) => (
        <Input
          ref={field.ref}
          name={field.name}
          value={String(field.value ?? '')}
          ariaRequired={isRequired}
          {...(type && { type })}
          {...(placeholder && { placeholder })}
          {...(inputMode && { inputMode })}
          onBlur={field.onBlur}
          onChange={({ detail }) =>
            field.onChange(type === 'number' && detail.value !== '' ? Number(detail.value) : detail.value)
          }
        />
      )}
    </FormField>
  )
}
