import Select from '@cloudscape-design/components/select'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, FormField } from './FormField.tsx'

interface SelectFieldProps<V extends FieldValues> extends FieldProps<V> {
  options: readonly { value: string; label: string; description?: string; disabled?: boolean }[]
  placeholder?: string
}

/** One of a closed list; the labels are the page's, translated. */
export function SelectField<V extends FieldValues>({ options, placeholder, ...props }: SelectFieldProps<V>) {
  return (
    <FormField {...props}>
      {(field, isRequired) => (
        <Select
          ref={field.ref}
          selectedOption={options.find(option => option.value === field.value) ?? null}
          options={options}
          ariaRequired={isRequired}
          filteringType={options.length > 10 ? 'auto' : 'none'}
          {...(placeholder && { placeholder })}
          onBlur={field.onBlur}
          onChange={({ detail }) => field.onChange(detail.selectedOption.value)}
        />
      )}
    </FormField>
  )
}
