import FormField from '@cloudscape-design/components/form-field'
import { useTranslation } from 'react-i18next'
import { isReleaseTime, limits } from '../rules.ts'
import { InstantInput, type InstantInputProps } from './InstantInput.tsx'
import { ZonedTime } from './ZonedTime.tsx'

/** A release time, typed in the reader's own zone and shown in both. */
export function InstantField({ value, onChange }: InstantInputProps) {
  const { t } = useTranslation('distribute/versions')
  const isWrong = value !== null && !isReleaseTime(value, Date.now())
  const range = { minutes: limits.releaseSoonestMs / 60_000, days: limits.releaseLatestMs / 86_400_000 }
  return (
    <FormField
      label={t('time.label')}
      constraintText={value === null || isWrong ? t('time.range', range) : <ZonedTime at={value} />}
      errorText={isWrong ? t('time.wrong') : undefined}
    >
      <InstantInput value={value} onChange={onChange} />
    </FormField>
  )
}
