import Header from '@cloudscape-design/components/header'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { RowCards } from '../../../../../console/kit/RowCards.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useIsNarrow } from '../../../../../console/shell/use-is-narrow.ts'
import { shownLocale } from '../../../../../console/shown.ts'
import type { PhasedChangeView } from '../version-calls.ts'
import { amountText, opText, percentText, systemReasons, toneOfChange } from './phased-words.ts'

/** Each change with who made it and how far it had come by then, the newest first. */
export function PhasedHistory({ changes }: { changes: readonly PhasedChangeView[] }) {
  const { t } = useTranslation('distribute/versions')
  const isNarrow = useIsNarrow()
  const counted = (amount: number | null) => (amount === null ? '–' : amount.toLocaleString(shownLocale()))
  const share = new Intl.NumberFormat(shownLocale(), { style: 'percent', maximumFractionDigits: 2 })
  const reasonOf = ({ actor, reason, trip }: PhasedChangeView) => {
    if (trip) {
      return t('phased.gates.acted', {
        metric: t(`phased.metrics.${trip.metric}`),
        value: amountText(trip.metric, trip.value),
        limit: `${opText[trip.op]} ${amountText(trip.metric, trip.limit)}`,
        count: trip.devices,
      })
    }
    if (reason === '') return '–'
    if (actor === null && systemReasons.includes(reason)) return t(`phased.reasons.${reason}`)
    return (
      <span className="phased-reason" translate="no">
        {reason}
      </span>
    )
  }
  const columns: TableColumn<PhasedChangeView>[] = [
    {
      id: 'action',
      header: t('phased.change'),
      isName: true,
      cell: one => <StatusBadge tone={toneOfChange[one.action]} text={t(`phased.changes.${one.action}`)} />,
    },
    { id: 'at', header: t('phased.at'), cell: one => <When at={one.at} /> },
    { id: 'share', header: t('phased.reachedShare'), cell: one => share.format(Number(one.percent) / 100) },
    { id: 'reached', header: t('phased.devices'), cell: one => counted(one.reachedDevices) },
    { id: 'installs', header: t('phased.installs'), cell: one => counted(one.installs) },
    {
      id: 'crashes',
      header: t('phased.metrics.crashRate'),
      cell: one => (one.crashRate === null ? '–' : percentText(one.crashRate)),
    },
    {
      id: 'actor',
      header: t('phased.actor'),
      cell: one => (one.actor === null ? t('phased.system') : <span translate="no">{one.actor}</span>),
    },
    { id: 'reason', header: t('phased.reason'), cell: reasonOf },
  ]
  const header = <Header variant="h3">{t('phased.history')}</Header>
  if (isNarrow) {
    return (
      <section>
        {header}
        <RowCards rows={changes} columns={columns} rowKey={one => one.changeId} isLoading={false} nothing={null} />
      </section>
    )
  }
  return (
    <Table
      variant="embedded"
      header={header}
      items={changes}
      trackBy="changeId"
      wrapLines
      ariaLabels={{ tableLabel: t('phased.history') }}
      columnDefinitions={columns.map(({ id, header: name, cell, isName = false }) => ({
        id,
        header: name,
        cell,
        isRowHeader: isName,
        ...(id === 'action' && { minWidth: 132 }),
        ...(id === 'reason' && { minWidth: 180 }),
      }))}
    />
  )
}
