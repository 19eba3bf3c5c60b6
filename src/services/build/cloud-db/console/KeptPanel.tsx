import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { keptDays } from '../kept/contract.ts'
import { keptApi } from './database-calls.ts'

interface KeptRow {
  keptId: string
  name: string
  deletedBy: string
  deletedAt: number
  keptUntil: number
}

/** What was deleted and can be brought back; nothing is drawn where nothing was. */
export function KeptPanel({ projectId, kind }: { projectId: string; kind: 'TYPE' | 'ZONE' }) {
  const { t } = useTranslation('build/cloud-db')
  const mayEdit = may('cloudDb.edit')
  const found = useCall(keptApi.listKept, { query: { projectId } }, { enabled: mayEdit })
  const restore = useAction(keptApi.restoreKept)
  const list = (found.data?.list ?? []).filter(one => one.kind === kind)
  if (list.length === 0) return null
  return (
    <Table<KeptRow>
      items={list}
      trackBy="keptId"
      header={
        <Header variant="h2" counter={`(${list.length})`} description={t('kept.text', { count: keptDays })}>
          {t(`kept.${kind}`)}
        </Header>
      }
      ariaLabels={{ tableLabel: t(`kept.${kind}`) }}
      columnDefinitions={[
        {
          id: 'name',
          header: t(kind === 'TYPE' ? 'types.name' : 'zones.name'),
          isRowHeader: true,
          cell: one => <span translate="no">{one.name}</span>,
        },
        { id: 'by', header: t('kept.by'), cell: one => one.deletedBy },
        { id: 'at', header: t('kept.at'), cell: one => <When at={one.deletedAt} /> },
        { id: 'until', header: t('kept.until'), cell: one => <When at={one.keptUntil} /> },
        {
          id: 'actions',
          header: t('types.actions'),
          cell: one => (
            <Button
              variant="inline-link"
              ariaLabel={`${t('kept.restore')} ${one.name}`}
              disabled={restore.isRunning}
              onClick={() => void restore.run({ body: { projectId, keptId: one.keptId } })}
            >
              {t('kept.restore')}
            </Button>
          ),
        },
      ]}
    />
  )
}
