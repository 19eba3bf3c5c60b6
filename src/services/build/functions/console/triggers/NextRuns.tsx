import { useTranslation } from 'react-i18next'
import type { Language } from '../../../../../console/language.ts'
import { zonedText } from './trigger-words.ts'

/** The next times of a timer on the clocks of its zone. */
export function NextRuns({ runs, timezone }: { runs: readonly number[]; timezone: string }) {
  const { t, i18n } = useTranslation('build/functions')
  const language = i18n.resolvedLanguage as Language
  return (
    <ol className="fn-runs" aria-label={t('triggers.nextRuns', { timezone })}>
      {runs.map(at => (
        <li key={at}>
          <time dateTime={new Date(at).toISOString()}>{zonedText(at, timezone, language)}</time>
        </li>
      ))}
    </ol>
  )
}
