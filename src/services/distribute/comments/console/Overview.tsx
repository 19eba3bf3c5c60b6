import Container from '@cloudscape-design/components/container'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../console/shown.ts'
import { stars } from '../rules.ts'
import type { StatsView } from './comment-calls.ts'
import { spanText } from './comment-words.ts'
import { Stars } from './Stars.tsx'

/** The stars of all time as bars, and how well comments of the period are answered. */
export function Overview({ stats }: { stats: StatsView }) {
  const { t } = useTranslation('distribute/comments')
  const { overall, count } = stats
  const number = (value: number) => value.toLocaleString(shownLocale())
  const share = new Intl.NumberFormat(shownLocale(), { style: 'percent', maximumFractionDigits: 0 })
  const tiles = [
    [t('tiles.ratings'), number(count)],
    [t('tiles.average'), stats.average === null ? '–' : number(stats.average)],
    [t('tiles.comments'), number(stats.withText)],
    [t('tiles.replyRate'), stats.replyRate === null ? '–' : share.format(stats.replyRate)],
    [t('tiles.replyTime'), stats.medianReplyMs === null ? '–' : spanText(stats.medianReplyMs)],
  ] as const
  return (
    <Container>
      <div className="cm-overview">
        <div className="cm-score">
          <strong>{overall.display === null ? '–' : number(overall.display)}</strong>
          {overall.display !== null && <Stars value={overall.display} />}
          <span className="lg-soft">{t('ratings', { count: overall.count })}</span>
        </div>
        <dl className="cm-bars" aria-label={t('histogram')}>
          {stars.map((value, at) => (
            <div key={value}>
              <dt>{t('star', { count: value })}</dt>
              <dd aria-hidden="true" className="cm-bar">
                <span style={{ inlineSize: `${((overall.histogram[at] ?? 0) * 100) / Math.max(1, overall.count)}%` }} />
              </dd>
              <dd>{number(overall.histogram[at] ?? 0)}</dd>
            </div>
          ))}
        </dl>
        <div className="cm-period">
          <span className="lg-soft">{t('period', { count: 90 })}</span>
          <dl className="cm-tiles">
            {tiles.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Container>
  )
}
