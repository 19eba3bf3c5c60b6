import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { type Outcome, outcomes } from '../../field/rules.ts'
import type { InstallDay } from '../store-calls.ts'
import { dayText, topOf, wholeText } from './chart-words.ts'

/** Failures are red, what left is grey; each has its name in the legend as well. */
const colours: Readonly<Record<Outcome, string>> = {
  installed: '#688ae8',
  updated: '#2ea597',
  failed: '#d63f38',
  uninstalled: '#8c8c94',
}

/** What devices reported on each day, one colour an outcome. */
export function InstallChart({ rows, days }: { rows: readonly InstallDay[]; days: readonly string[] }) {
  const { t } = useTranslation('distribute/store')
  const byDay = new Map(rows.map(row => [row.day, row]))
  const sums = days.map(day => outcomes.reduce((sum, outcome) => sum + (byDay.get(day)?.[outcome] ?? 0), 0))
  return (
    <Container header={<Header variant="h2">{t('field.installs')}</Header>}>
      <MixedLineBarChart
        stackedBars
        hideFilter
        height={240}
        xScaleType="categorical"
        xDomain={[...days]}
        yDomain={[0, topOf(sums)]}
        xTitle={t('reach.day')}
        yTitle={t('field.reports')}
        ariaLabel={t('field.installs')}
        i18nStrings={{ xTickFormatter: value => dayText(String(value)), yTickFormatter: wholeText }}
        series={outcomes.map(outcome => ({
          type: 'bar' as const,
          title: t(`outcomes.${outcome}`),
          color: colours[outcome],
          data: days.map(day => ({ x: day, y: byDay.get(day)?.[outcome] ?? 0 })),
        }))}
        empty={<EmptyState title={t('field.noInstalls')} />}
      />
    </Container>
  )
}
