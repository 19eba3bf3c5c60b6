import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../console/shown.ts'
import { mostStars } from '../rules.ts'

/** So many of five stars; a screen reader hears the number. */
export function Stars({ value }: { value: number }) {
  const { t } = useTranslation('distribute/comments')
  const full = Math.round(value)
  return (
    <span
      className="cm-stars"
      role="img"
      aria-label={t('stars', { count: value, value: value.toLocaleString(shownLocale()) })}
    >
      {'★'.repeat(full)}
      <span className="cm-stars-off">{'★'.repeat(mostStars - full)}</span>
    </span>
  )
}
