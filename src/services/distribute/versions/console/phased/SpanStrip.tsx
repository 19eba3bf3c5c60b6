import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import type { PhasedChangeView, PhasedView } from '../version-calls.ts'
import { percentText } from './phased-words.ts'
import { spansOf } from './release-picture.ts'

/** The time of a release from its beginning to now: at which share it ran, and where it stood still. */
export function SpanStrip({ phased, changes }: { phased: PhasedView; changes: readonly PhasedChangeView[] }) {
  const { t } = useTranslation('distribute/versions')
  const spans = spansOf(phased, changes, Date.now())
  const form = new Intl.DateTimeFormat(shownLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  const [first] = spans
  const last = spans.at(-1)
  if (!first || !last) return null
  return (
    <div className="phased-strip">
      <ol aria-label={t('phased.strip.title')}>
        {spans.map(span => {
          const words = t(span.isPaused ? 'phased.strip.paused' : 'phased.strip.running', {
            percent: percentText(Number(span.percent)),
            from: form.format(span.from),
            to: form.format(span.to),
          })
          return (
            <li
              key={span.from}
              data-paused={span.isPaused}
              style={{ flexGrow: Math.max(1, span.to - span.from) }}
              title={words}
            >
              <span className="phased-strip-text" aria-hidden="true">
                {span.isPaused ? t('phased.strip.pause') : percentText(Number(span.percent))}
              </span>
              <span className="lg-unseen">{words}</span>
            </li>
          )
        })}
      </ol>
      <div className="phased-strip-ends" aria-hidden="true">
        <span>{form.format(first.from)}</span>
        <span>{phased.endedAt === null ? t('phased.strip.now') : form.format(last.to)}</span>
      </div>
    </div>
  )
}
