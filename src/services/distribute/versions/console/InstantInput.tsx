import DatePicker from '@cloudscape-design/components/date-picker'
import TimeInput from '@cloudscape-design/components/time-input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shownLocale } from './version-words.ts'

export interface InstantInputProps {
  /** Null while what was typed is no instant. */
  value: number | null
  onChange: (at: number | null) => void
}

const two = (number: number) => String(number).padStart(2, '0')

function partsOf(at: number | null): { date: string; time: string } {
  if (at === null) return { date: '', time: '' }
  const local = new Date(at)
  const date = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`
  return { date, time: `${two(local.getHours())}:${two(local.getMinutes())}` }
}

function toInstant(parts: { date: string; time: string }): number | null {
  const at = new Date(`${parts.date}T${parts.time}`).getTime()
  return Number.isNaN(at) ? null : at
}

/** A day and a time of day by the reader's own clock. */
export function InstantInput({ value, onChange }: InstantInputProps) {
  const { t } = useTranslation('distribute/versions')
  const [parts, setParts] = useState(() => partsOf(value))
  const change = (next: Partial<typeof parts>) => {
    const both = { ...parts, ...next }
    setParts(both)
    onChange(toInstant(both))
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
