import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useTranslation } from 'react-i18next'
import { imageProblem } from '../images/rules.ts'

interface Props {
  value: string
  onChange: (value: string) => void
}

/** The name of an image with its registry. */
export function ImageField({ value, onChange }: Props) {
  const { t } = useTranslation('build/functions')
  const isWrong = value !== '' && imageProblem(value) !== null
  return (
    <FormField
      label={t('image.reference')}
      constraintText={t('image.hint')}
      errorText={isWrong ? t('image.wrong') : undefined}
    >
      <Input
        value={value}
        spellcheck={false}
        placeholder="registry.example.com/team/resize:1.2"
        onChange={({ detail }) => onChange(detail.value.trim())}
      />
    </FormField>
  )
}
