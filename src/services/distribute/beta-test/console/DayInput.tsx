import DatePicker from '@cloudscape-design/components/date-picker'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, localeOf } from '../../../../console/language.ts'
import { dayText, endOfDay } from './days.ts'

interface DayInputProps {
  /** Null while what was typed is no day. */
  value: number | null
  onChange: (at: number | null) => void
}

/** A day by the reader's own clock, up to its end. */
export function DayInput({ value, onChange }: DayInputProps) {
  const { i18n } = useTranslation()
  const [text, setText] = useState(() => dayText(value))
  return (
    <DatePicker
      value={text}
      locale={localeOf[(i18n.resolvedLanguage ?? 'zh') as Language]}
      placeholder="YYYY/MM/DD"
      onChange={({ detail }) => {
        setText(detail.value)
        onChange(endOfDay(detail.value))
      }}
    />
  )
}
