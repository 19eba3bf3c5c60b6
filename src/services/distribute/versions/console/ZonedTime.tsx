import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../console/shown.ts'

function inZone(at: number, locale: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  })
    .format(at)
    .replace(', ', ' ')
}

/** An agreed instant as the reader's clock shows it and as the store's does. */
export function ZonedTime({ at }: { at: number }) {
  const { t } = useTranslation('distribute/versions')
  const locale = shownLocale()
  return (
    <time dateTime={new Date(at).toISOString()} className="version-zones">
      <span>{t('time.here', { time: inZone(at, locale) })}</span>
      <span className="lg-soft">{t('time.store', { time: inZone(at, locale, 'UTC') })}</span>
    </time>
  )
}
