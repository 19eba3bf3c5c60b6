import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'

interface NumberFieldProps {
  label: string
  hint?: string | undefined
  value: number
  onChange: (value: number) => void
}

/** A number with its name. */
export function NumberField({ label, hint, value, onChange }: NumberFieldProps) {
  return (
    <FormField label={label} constraintText={hint}>
      <Input
        type="number"
        value={Number.isNaN(value) ? '' : String(value)}
        onChange={({ detail }) => onChange(detail.value === '' ? Number.NaN : Number(detail.value))}
      />
    </FormField>
  )
}
