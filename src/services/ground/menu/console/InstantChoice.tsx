import './menu.css'
import DatePicker from '@cloudscape-design/components/date-picker'
import FormField from '@cloudscape-design/components/form-field'
import TimeInput from '@cloudscape-design/components/time-input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languageTag, useLanguage } from './shown-language.ts'

interface InstantChoiceProps {
  label: string
  hint: string
  value: number | null
  onChange: (at: number | null) => void
}

const two = (number: number) => String(number).padStart(2, '0')

function partsOf(at: number | null): { date: string; time: string } {
  if (at === null) return { date: '', time: '' }
  const local = new Date(at)
  return {
    date: `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`,
    time: `${two(local.getHours())}:${two(local.getMinutes())}`,
  }
}

/** An instant in the reader's own zone, or none. */
export function InstantChoice({ label, hint, value, onChange }: InstantChoiceProps) {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
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
          {label} <span className="lg-optional">{t('form.optional')}</span>
        </>
      }
      constraintText={hint}
    >
      <div className="menu-times">
        <DatePicker
          value={parts.date}
          locale={languageTag(language)}
          placeholder="YYYY/MM/DD"
          ariaLabel={label}
          onChange={({ detail }) => change({ date: detail.value })}
        />
        <TimeInput
          value={parts.time}
          format="hh:mm"
          placeholder="hh:mm"
          ariaLabel={t('form.clockOf', { label })}
          onChange={({ detail }) => change({ time: detail.value })}
        />
      </div>
    </FormField>
  )
}
