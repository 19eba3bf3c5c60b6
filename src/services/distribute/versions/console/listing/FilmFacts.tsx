import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { Language } from '../../../../../console/language.ts'
import { shownLocale } from '../../../../../console/shown.ts'
import { FindingLine } from '../FindingLine.tsx'
import { languageName } from '../version-words.ts'
import type { FilmView } from './listing-form.ts'

const tones: Record<FilmView['state'] | 'UNSAVED', Tone> = {
  UNSAVED: 'waiting',
  CHECKING: 'running',
  PASSED: 'good',
  FAILED: 'bad',
}

/** How large and long a film is, and what was found when it was looked at. */
export function FilmFacts({ film, lang, isSaved = true }: { film: FilmView; lang: string; isSaved?: boolean }) {
  const { t, i18n } = useTranslation('distribute/versions')
  const { width, height, durationMs, sizeBytes, hits } = film
  const state = isSaved ? film.state : 'UNSAVED'
  const seconds = new Intl.NumberFormat(shownLocale(), { style: 'unit', unit: 'second', maximumFractionDigits: 0 })
  const facts = [
    ...(width !== null && height !== null ? [`${width} × ${height}`] : []),
    ...(durationMs === null ? [] : [seconds.format(durationMs / 1000)]),
    sizeText(sizeBytes, i18n.resolvedLanguage as Language),
  ]
  return (
    <SpaceBetween size="xs">
      <span>
        <StatusBadge tone={tones[state]} text={t(`film.states.${state}`)} />{' '}
        <span className="lg-soft">{facts.join(' · ')}</span>
      </span>
      {hits.map(
        ({ rule, level, seen }) =>
          level !== 'INFO' && (
            <FindingLine key={rule} severity={level} text={t(`findings.${rule}`, { lang: languageName(lang), seen })} />
          ),
      )}
    </SpaceBetween>
  )
}
