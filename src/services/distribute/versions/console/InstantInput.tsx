import DatePicker from '@cloudscape-design/components/date-picker'
import TimeInput from '@cloudscape-design/components/time-input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../console/shown.ts'
import { instantAt, wallTimeOf } from './wall-clock.ts'

export interface InstantInputProps {
  /** Null while what was typed is no instant. */
  value: number | null
  onChange: (at: number | null) => void
}

/** A day and a time of day by the reader's own clock. */
export function InstantInput({ value, onChange }: InstantInputProps) {
  const { t } = useTranslation('distribute/versions')
  const [parts, setParts] = useState(() => wallTimeOf(value))
  const change = (next: Partial<typeof parts>) => {
    const both = { ...parts, ...next }
    setParts(both)
    onChange(instantAt(both))
  }
  return (
    <div className="version-instant">
      <DatePicker
        value={parts.date}
        locale={shownLocale()}
        placeholder="YYYY/MM/DD"
        onChange={({ detail }) => change({ date: detail.value })}
      />
      <TimeInput
        value={parts.time}
        format="hh:mm"
        placeholder="hh:mm"
        ariaLabel={t('time.clock')}
        onChange={({ detail }) => change({ time: detail.value })}
      />
    </div>
  )
}
