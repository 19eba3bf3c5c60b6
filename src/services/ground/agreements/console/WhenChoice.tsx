import './agreements.css'
import DatePicker from '@cloudscape-design/components/date-picker'
import FormField from '@cloudscape-design/components/form-field'
import TimeInput from '@cloudscape-design/components/time-input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../../../../console/language.ts'
import { useWords } from './words.ts'

const two = (number: number) => String(number).padStart(2, '0')

function partsOf(at: number | null): { date: string; time: string } {
  if (at === null) return { date: '', time: '' }
  const local = new Date(at)
  return {
    date: `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`,
    time: `${two(local.getHours())}:${two(local.getMinutes())}`,
  }
}

interface WhenChoiceProps {
  value: number | null
  onChange: (at: number | null) => void
  error?: string | undefined
}

/** When something comes into force, in the reader's own zone; empty is as soon as it can. */
export function WhenChoice({ value, onChange, error }: WhenChoiceProps) {
  const { t } = useTranslation('ground/agreements')
  const { language } = useWords()
  const [parts, setParts] = useState(() => partsOf(value))
  const change = (next: Partial<typeof parts>) => {
    const both = { ...parts, ...next }
    setParts(both)
    const at = new Date(`${both.date}T${both.time || '00:00'}`).getTime()
    onChange(Number.isNaN(at) ? null : at)
  }
  return (
    <FormField
      label={
        <>
          {t('effective.label')} <span className="lg-optional">{t('form.optional')}</span>
        </>
      }
      constraintText={t('effective.hint')}
      errorText={error}
    >
      <div className="agr-times">
        <DatePicker
          value={parts.date}
          locale={localeOf[language]}
          placeholder="YYYY/MM/DD"
          ariaLabel={t('effective.label')}
          onChange={({ detail }) => change({ date: detail.value })}
        />
        <TimeInput
          value={parts.time}
          format="hh:mm"
          placeholder="hh:mm"
          ariaLabel={t('effective.clock')}
          onChange={({ detail }) => change({ time: detail.value })}
        />
      </div>
    </FormField>
  )
}
