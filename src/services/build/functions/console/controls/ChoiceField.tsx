import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'

interface ChoiceFieldProps<T extends string> {
  label: string
  hint?: string | undefined
  value: T
  options: readonly { value: T; label: string; description?: string }[]
  onChange: (value: T) => void
}

/** One of a few words, with its name. */
export function ChoiceField<T extends string>({ label, hint, value, options, onChange }: ChoiceFieldProps<T>) {
  return (
    <FormField label={label} constraintText={hint}>
      <Select
        selectedOption={options.find(one => one.value === value) ?? { value, label: value }}
        options={[...options]}
        onChange={({ detail }) => onChange((detail.selectedOption.value ?? value) as T)}
      />
    </FormField>
  )
}
