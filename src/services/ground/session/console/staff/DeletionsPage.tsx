import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { PersonName } from '../../../../../console/kit/PersonName.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type DeletionState, deletionLifeCycle } from '../../deletion/rules.ts'
import { deletionApi } from '../session-calls.ts'
import type { DeletionView } from './staff-calls.ts'

const tones = { asked: 'waiting', cancelled: 'good', erased: 'off' } as const

/** Accounts on their way out, those that were kept, and the numbers of those that are gone. */
export default function DeletionsPage() {
  const { t } = useTranslation('ground/session')
  const table = useTableState<'state'>({ id: 'account-deletions', filters: ['state'] })
  const state = table.filters.state as DeletionState | undefined
  const result = useCall(
    deletionApi.listDeletions,
    { query: { ...table.page, ...(state && { state }) } },
    { keepBefore: true },
  )
  const columns: TableColumn<DeletionView>[] = [
    {
      id: 'name',
      header: t('profile.name'),
      isName: true,
      minWidth: 200,
      cell: row =>
        row.name === null ? (
          <span className="lg-soft">{row.accountId}</span>
        ) : (
          <PersonName name={row.name} loginName={row.loginName ?? ''} />
        ),
    },
    {
      id: 'state',
      header: t('accounts.status'),
      width: 190,
      cell: row => (
        <StatusBadge
          tone={row.isHeldUp && row.state === 'asked' ? 'caution' : tones[row.state]}
          text={row.isHeldUp && row.state === 'asked' ? t('deletions.heldUp') : t(`deletions.states.${row.state}`)}
        />
      ),
    },
    {
      id: 'by',
      header: t('deletions.by'),
      width: 150,
      cell: row => t(row.isAskedBySelf ? 'deletions.bySelf' : 'deletions.byStaff'),
    },
    { id: 'asked', header: t('deletions.askedAt'), width: 170, cell: row => <When at={row.askedAt} /> },
    {
      id: 'erases',
      header: state === 'asked' ? t('deletions.erasesAt') : t('deletions.endedAt'),
      width: 190,
      cell: row => <When at={row.state === 'asked' ? row.erasesAt : row.updatedAt} />,
    },
    { id: 'actions', header: t('providers.actions'), width: 150, cell: row => <Keep row={row} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('deletions.title')} description={t('deletions.text')} />
      <DataTable
        title={t(`deletions.lists.${state ?? 'all'}`)}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.accountId}
        rowName={row => row.name ?? row.accountId}
        filters={[
          {
            id: 'state',
            label: t('accounts.status'),
            options: deletionLifeCycle.states.map(one => ({ value: one, label: t(`deletions.states.${one}`) })),
          },
        ]}
        empty={{ title: t('deletions.none'), text: t('deletions.noneText') }}
      />
    </SpaceBetween>
  )
}

function Keep({ row }: { row: DeletionView }) {
  const { t } = useTranslation('ground/session')
  const keep = useAction(deletionApi.cancelDeletion, {
    onDone: kept => {
      notify({ tone: 'success', text: t('deletions.kept', { name: kept.name }) })
    },
  })
  if (!row.allowedActions.includes('cancel')) return null
  const { accountId, revision } = row
  return (
    <Button
      data-action="keep-account"
      loading={keep.isRunning}
      ariaLabel={t('deletions.keepOf', { name: row.name })}
      onClick={() => void keep.run({ params: { accountId }, body: { revision } })}
    >
      {t('deletions.keep')}
    </Button>
  )
}
