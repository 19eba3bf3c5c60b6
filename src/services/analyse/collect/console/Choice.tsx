import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'

interface ChoiceProps {
  label: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  /** What nothing chosen is called; left out, something always is. */
  none?: string
  onChange: (value: string | undefined) => void
}

/** One of a few, under its label. */
export function Choice({ label, value, options, none, onChange }: ChoiceProps) {
  const all = none === undefined ? options : [{ value: '', label: none }, ...options]
  return (
    <FormField label={label}>
      <Select
        selectedOption={all.find(option => option.value === (value ?? '')) ?? null}
        options={all}
        expandToViewport
        onChange={({ detail }) => onChange(detail.selectedOption.value || undefined)}
      />
    </FormField>
  )
}
