import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { type FunctionView, outcomes, testApi, toneOf } from './function-calls.ts'
import { LogLines } from './LogLines.tsx'
import { LiveBox } from './live/LiveBox.tsx'

const askEveryMs = 5_000

/** What became of the calls of the last days, with what each wrote. */
export function CallsTab({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId } = of
  const table = useTableState<'outcome'>({ id: 'function-calls', filters: ['outcome'] })
  const outcome = outcomes.find(one => one === table.filters.outcome)
  const keyword = table.search ? { keyword: table.search } : {}
  const result = useCall(
    testApi.listCalls,
    { params: { functionId }, query: { ...table.page, ...keyword, ...(outcome ? { outcome } : {}) } },
    { keepBefore: true, refetchInterval: askEveryMs },
  )
  return (
    <SpaceBetween size="l">
      <DayChart functionId={functionId} />
      <LiveBox functionId={functionId} />
      <DataTable
        title={t('calls')}
        table={table}
        result={result}
        rowKey={row => row.requestId}
        rowName={row => row.requestId}
        searchLabel={t('searchCalls')}
        filters={[
          {
            id: 'outcome',
            label: t('outcome'),
            options: outcomes.map(value => ({ value, label: t(`outcomes.${value}`) })),
          },
        ]}
        empty={{ title: t('noCalls'), text: t('noCallsText') }}
        columns={[
          { id: 'at', header: t('at'), isName: true, width: 190, cell: row => <When at={row.startedAt} /> },
          {
            id: 'outcome',
            header: t('outcome'),
            width: 150,
            cell: row => <StatusBadge tone={toneOf(row.outcome)} text={t(`outcomes.${row.outcome}`)} />,
          },
          { id: 'version', header: t('version'), width: 110, cell: row => <span translate="no">{row.version}</span> },
          { id: 'source', header: t('source'), width: 120, cell: row => t(`sources.${row.source}`) },
          {
            id: 'time',
            header: t('time'),
            width: 150,
            cell: row => `${t('ms', { value: row.phases.runMs })}${row.isCold ? ` · ${t('cold')}` : ''}`,
          },
          {
            id: 'lines',
            header: t('lines'),
            minWidth: 260,
            cell: row =>
              row.lines.length === 0 && row.errorMessage === null ? (
                '–'
              ) : (
                <ExpandableSection
                  headerText={row.errorMessage ?? t('lineCount', { count: row.lines.length })}
                  variant="inline"
                >
                  <LogLines lines={row.lines} />
                </ExpandableSection>
              ),
          },
        ]}
      />
    </SpaceBetween>
  )
}

function DayChart({ functionId }: { functionId: string }) {
  const { t, i18n } = useTranslation('build/functions')
  const found = useCall(testApi.countCalls, { params: { functionId } }, { refetchInterval: askEveryMs })
  const points = found.data?.points ?? []
  const hourOf = (at: number) =>
    new Intl.DateTimeFormat(i18n.resolvedLanguage, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)
  const series = (countOf: (point: (typeof points)[number]) => number) =>
    points.map(one => ({ x: new Date(one.at), y: countOf(one) }))
  return (
    <Container header={<Header variant="h2">{t('lastDay')}</Header>}>
      <MixedLineBarChart
        series={[
          { type: 'bar', title: t('succeeded'), data: series(one => one.calls - one.failures), color: '#2ea597' },
          { type: 'bar', title: t('failed'), data: series(one => one.failures - one.refused), color: '#c33d69' },
          { type: 'bar', title: t('outcomes.REFUSED'), data: series(one => one.refused), color: '#e07941' },
        ]}
        stackedBars
        height={160}
        xScaleType="categorical"
        xDomain={points.map(one => new Date(one.at))}
        yDomain={[0, Math.max(4, ...points.map(one => one.calls))]}
        i18nStrings={{ xTickFormatter: at => hourOf(at.getTime()) }}
        xTitle={t('hour')}
        yTitle={t('calls')}
        ariaLabel={t('lastDay')}
        hideFilter
        statusType={found.isPending ? 'loading' : found.error ? 'error' : 'finished'}
      />
    </Container>
  )
}
