import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { RolloutView } from '../../rollouts/contract.ts'
import { rolloutStates } from '../../rollouts/rules.ts'
import { rolloutsApi, type TabProps } from '../config-calls.ts'
import { RolloutDialog } from './RolloutDialog.tsx'
import { RolloutPanel } from './RolloutPanel.tsx'
import { branchText, percentText, rolloutTones } from './rollout-words.ts'

/** Values on their way to everybody; one of them is opened by its address. */
export function RolloutsTab({ where }: TabProps) {
  const [{ rollout }, change] = usePageSearch(raw => ({ rollout: String(raw['rollout'] ?? '') }))
  const open = (id: string | undefined) => change({ rollout: id } as never)
  if (rollout !== '') return <RolloutPanel rolloutId={rollout} onBack={() => open(undefined)} />
  return <RolloutTable where={where} onOpen={open} />
}

function RolloutTable({ where, onOpen }: Pick<TabProps, 'where'> & { onOpen: (id: string) => void }) {
  const { t } = useTranslation('grow/remote-config')
  const [isMaking, setMaking] = useState(false)
  const table = useTableState({ id: 'remote-config-rollouts', filters: ['state'] as const })
  const { state } = table.filters
  const search = table.search ? { search: table.search } : {}
  const found = useCall(
    rolloutsApi.listRollouts,
    { query: { ...where, ...table.page, ...search, ...(state && { state: state as RolloutView['state'] }) } },
    { keepBefore: true },
  )
  const create = (
    <Can call={rolloutsApi.createRollout}>
      <Button data-action="createRollout" onClick={() => setMaking(true)}>
        {t('rollouts.create')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.rollouts')}
        table={table}
        result={found}
        rowKey={row => row.rolloutId}
        rowName={row => row.name}
        searchLabel={t('rollouts.search')}
        filters={[
          {
            id: 'state',
            label: t('rollouts.state'),
            options: rolloutStates.map(value => ({ value, label: t(`rollouts.states.${value}`) })),
          },
        ]}
        empty={{ title: t('rollouts.empty'), text: t('rollouts.emptyText') }}
        actions={create}
        columns={[
          {
            id: 'name',
            header: t('rollouts.name'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <Button variant="inline-link" data-action="open" onClick={() => onOpen(row.rolloutId)}>
                {row.name}
              </Button>
            ),
          },
          {
            id: 'parameter',
            header: t('rollouts.parameter'),
            cell: row => (
              <span>
                <code translate="no">{row.parameter}</code>{' '}
                <span className="lg-soft">{branchText(t, row.condition)}</span>
              </span>
            ),
          },
          {
            id: 'state',
            header: t('rollouts.state'),
            cell: row => <StatusBadge tone={rolloutTones[row.state]} text={t(`rollouts.states.${row.state}`)} />,
          },
          { id: 'reach', header: t('rollouts.reach'), cell: row => `${percentText(row.percent)} %` },
          { id: 'next', header: t('rollouts.next'), minWidth: 240, cell: row => <Next of={row} /> },
        ]}
      />
      {isMaking && <RolloutDialog where={where} onClose={() => setMaking(false)} onMade={onOpen} />}
    </>
  )
}

function Next({ of: { dueAt, state, waitsForApproval, asked } }: { of: RolloutView }) {
  const { t } = useTranslation('grow/remote-config')
  if (asked !== null) return t(`rollouts.asked.${asked.action}`)
  if (waitsForApproval) return t('rollouts.waits')
  return dueAt === null || state === 'paused' ? '–' : <When at={dueAt} show="both" />
}
