import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useTranslation } from 'react-i18next'

interface NameFieldProps {
  name: string
  value: string
  onChange: (value: string) => void
}

/** What cannot be undone asks for the name of the app. */
export function NameField({ name, value, onChange }: NameFieldProps) {
  const { t } = useTranslation()
  return (
    <FormField label={t('confirm.label', { name })}>
      <Input
        value={value}
        placeholder={name}
        autoComplete={false}
        spellcheck={false}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  )
}
