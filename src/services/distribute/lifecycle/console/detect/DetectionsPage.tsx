import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type DetectionKind, detectionKinds } from '../../rules.ts'
import { api, type DetectionView, ruleName } from '../lifecycle-calls.ts'
import { HitList } from './HitList.tsx'
import { MediaCheck } from './MediaCheck.tsx'
import { TextCheck } from './TextCheck.tsx'
import { VerdictBadge } from './VerdictBadge.tsx'

/** Texts, pictures and videos looked at before a reviewer does; and what was found before. */
export default function DetectionsPage() {
  const { t } = useTranslation('distribute/lifecycle')
  const [taskId, setTask] = useState<string | null>(null)
  const table = useTableState<'kind'>({ id: 'detections', filters: ['kind'] })
  const { kind } = table.filters
  const result = useCall(
    api.listDetections,
    { query: { ...table.page, ...(kind && { kind: kind as DetectionKind }) } },
    { keepBefore: true, refetchInterval: 5_000 },
  )
  const mayDetect = may('lifecycle.detect')
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('detect.title')} description={t('detect.text')} />
      {mayDetect && <TextCheck onDone={setTask} />}
      {mayDetect && <MediaCheck onDone={setTask} />}
      {taskId !== null && <HitList taskId={taskId} />}
      <DataTable
        title={t('detect.before')}
        table={table}
        result={result}
        rowKey={row => row.taskId}
        rowName={row => t(`kinds.${row.kind}`)}
        filters={[
          {
            id: 'kind',
            label: t('detect.kind'),
            options: detectionKinds.map(value => ({ value, label: t(`kinds.${value}`) })),
          },
        ]}
        empty={{ title: t('detect.empty'), text: t('detect.emptyText') }}
        columns={[
          {
            id: 'kind',
            header: t('detect.kind'),
            isName: true,
            minWidth: 140,
            cell: row => <KindCell detection={row} />,
          },
          { id: 'verdict', header: t('detect.verdict'), minWidth: 150, cell: row => <VerdictBadge detection={row} /> },
          {
            id: 'hits',
            header: t('detect.hits'),
            minWidth: 220,
            cell: row => [...new Set(row.hits.map(hit => ruleName(hit.rule)))].join(' · ') || '–',
          },
          { id: 'at', header: t('detect.at'), minWidth: 150, cell: row => <When at={row.createdAt} /> },
        ]}
      />
    </SpaceBetween>
  )
}

function KindCell({ detection: { kind, appId } }: { detection: DetectionView }) {
  const { t } = useTranslation('distribute/lifecycle')
  const name = t(`kinds.${kind}`)
  if (kind !== 'FIT' || appId === null) return name
  return <Link href={hrefOf('/apps/$appId/fit', { appId })}>{name}</Link>
}
