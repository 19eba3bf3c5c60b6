import { useTranslation } from 'react-i18next'
import { russianDate } from '../../kernel/dates.ts'
import { type Language, localeOf } from '../language.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** Date and time where the reader is. */
export function dateTimeText(at: number, language: Language, withSeconds = false): string {
  if (language === 'ru') {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    return russianDate(at, timeZone, withSeconds ? 'seconds' : 'minutes')
  }
  const parts: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(withSeconds && { second: '2-digit' }),
  }
  return new Intl.DateTimeFormat(localeOf[language], parts).format(at).replace(', ', ' ')
}

export function relativeText(at: number, language: Language, now = Date.now()): string {
  const [unit, size] = steps.find(([, length]) => Math.abs(at - now) >= length) ?? ['minute', 60_000]
  return new Intl.RelativeTimeFormat(localeOf[language], { numeric: 'auto' }).format(
    Math.round((at - now) / size),
    unit,
  )
}

interface WhenProps {
  /** Epoch milliseconds; null shows a dash. */
  at: number | null | undefined
  /** Which one stands first; the other is in the title. `both` writes both. */
  show?: 'absolute' | 'relative' | 'both'
}

/** An instant for people, with the machine's reading in `<time>`. */
export function When({ at, show = 'absolute' }: WhenProps) {
  const { i18n } = useTranslation()
  if (at === null || at === undefined) return <>–</>
  const language = i18n.resolvedLanguage as Language
  const absolute = dateTimeText(at, language)
  const relative = relativeText(at, language)
  const text = show === 'both' ? `${absolute} (${relative})` : show === 'absolute' ? absolute : relative
  return (
    <time dateTime={new Date(at).toISOString()} title={show === 'absolute' ? relative : absolute}>
      {text}
    </time>
  )
}
