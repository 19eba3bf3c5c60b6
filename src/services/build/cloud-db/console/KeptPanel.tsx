import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { wholeList } from '../../../../console/kit/whole-list.ts'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { keptApi } from './database-calls.ts'

/** What was deleted and can be brought back; nothing is drawn where nothing was. */
export function KeptPanel({ projectId, kind }: { projectId: string; kind: 'TYPE' | 'ZONE' }) {
  const { t } = useTranslation('build/cloud-db')
  const mayEdit = may('cloudDb.edit')
  const found = useCall(keptApi.listKept, { query: { projectId } }, { enabled: mayEdit })
  const table = useTableState({ id: 'cloud-db-kept' })
  const restore = useAction(keptApi.restoreKept)
  const list = (found.data?.list ?? []).filter(one => one.kind === kind)
  if (list.length === 0) return null
  return (
    <DataTable
      title={t(`kept.${kind}`)}
      table={table}
      result={wholeList(found, one => one.kind === kind)}
      rowKey={one => one.keptId}
      rowName={one => one.name}
      empty={{ title: t(`kept.${kind}`) }}
      columns={[
        {
          id: 'name',
          header: t(kind === 'TYPE' ? 'types.name' : 'zones.name'),
          isName: true,
          minWidth: 160,
          cell: one => <span translate="no">{one.name}</span>,
        },
        { id: 'by', header: t('kept.by'), minWidth: 140, cell: one => one.deletedBy },
        { id: 'at', header: t('kept.at'), width: 180, cell: one => <When at={one.deletedAt} /> },
        { id: 'until', header: t('kept.until'), width: 180, cell: one => <When at={one.keptUntil} /> },
        {
          id: 'actions',
          header: t('types.actions'),
          width: 150,
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
