import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useTranslation } from 'react-i18next'
import { basisPointsOf, percentPattern } from '../../phased/rules.ts'

interface PercentFieldProps {
  value: string
  /** What it has to be more than. */
  above: string
  onChange: (value: string) => void
}

/** A share with two decimals; a comma is as good as a point. */
export function PercentField({ value, above, onChange }: PercentFieldProps) {
  const { t } = useTranslation('distribute/versions')
  const isWritten = new RegExp(percentPattern).test(value)
  const fault = !isWritten
    ? t('phased.percentPattern')
    : basisPointsOf(value) <= basisPointsOf(above)
      ? t('phased.percentAbove', { percent: above })
      : undefined
  return (
    <FormField label={t('phased.share')} constraintText={t('phased.percentText')} errorText={value ? fault : undefined}>
      <Input
        value={value}
        inputMode="decimal"
        onChange={({ detail }) => onChange(detail.value.trim().replace(',', '.'))}
      />
    </FormField>
  )
}
