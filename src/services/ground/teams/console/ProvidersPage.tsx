import './teams.css'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { serviceProviders } from '../service-providers/contract.ts'
import { type BindingState, bindingLifeCycle } from '../service-providers/rules.ts'
import { type BindingView, providerApi } from './team-calls.ts'

const tones = { invited: 'waiting', active: 'good', ended: 'off' } as const
const sides = ['client', 'provider'] as const
type Raw = Record<string, string | undefined>

export default function ProvidersPage() {
  const { t } = useTranslation('ground/teams')
  const [isAsking, setAsking] = useState(false)
  const [wanted, change] = usePageSearch<Raw>(raw => raw as Raw)
  const side = sides.find(one => one === wanted['side']) ?? 'client'
  const table = useTableState<'state'>({ id: 'providers', filters: ['state'] })
  const state = table.filters.state as BindingState | undefined
  const query = { ...table.page, side, ...(state && { state }) }
  const result = useCall(providerApi.listServiceProviders, { query }, { keepBefore: true })
  const ask = (
    <Can call={providerApi.inviteServiceProvider}>
      <Button variant="primary" data-action="ask-provider" onClick={() => setAsking(true)}>
        {t('providers.ask')}
      </Button>
    </Can>
  )
  const columns: TableColumn<BindingView>[] = [
    {
      id: 'team',
      header: t('team.title'),
      isName: true,
      minWidth: 220,
      cell: row => (side === 'client' ? (row.spName ?? t('providers.unknown')) : row.teamName),
    },
    {
      id: 'id',
      header: t('team.id'),
      minWidth: 190,
      cell: row => (side === 'client' ? row.spId : row.teamId),
    },
    { id: 'note', header: t('providers.note'), minWidth: 160, cell: row => row.note || '–' },
    {
      id: 'state',
      header: t('members.status'),
      width: 140,
      cell: row => <StatusBadge tone={tones[row.state]} text={t(`providers.states.${row.state}`)} />,
    },
    { id: 'since', header: t('providers.since'), width: 175, cell: row => <When at={row.updatedAt} /> },
    { id: 'actions', header: t('members.actions'), width: 180, cell: row => <RowActions row={row} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('providers.title')} description={t('providers.text')} />
      <SegmentedControl
        label={t('providers.side')}
        selectedId={side}
        options={sides.map(id => ({ id, text: t(`providers.sides.${id}`) }))}
        onChange={({ detail }) => change({ cursor: undefined, page: undefined, side: detail.selectedId })}
      />
      <DataTable
        title={t(`providers.sides.${side}`)}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.bindingId}
        rowName={row => row.spName ?? row.spId}
        filters={[
          {
            id: 'state',
            label: t('members.status'),
            options: bindingLifeCycle.states.map(one => ({ value: one, label: t(`providers.states.${one}`) })),
          },
        ]}
        empty={{
          title: t('providers.empty'),
          text: t(`providers.emptyText.${side}`),
          ...(side === 'client' && { action: ask }),
        }}
        actions={side === 'client' && ask}
      />
      {isAsking && <AskProvider onClose={() => setAsking(false)} />}
    </SpaceBetween>
  )
}

function RowActions({ row }: { row: BindingView }) {
  const { t } = useTranslation('ground/teams')
  const { bindingId, revision } = row
  const act = useAction(providerApi.changeServiceProvider, {
    onDone: (_, { body }) => {
      notify({ tone: 'success', text: t(`providers.done.${body.action}`) })
    },
  })
  return (
    <span className="teams-acts">
      {row.allowedActions.map(action => (
        <Button
          key={action}
          variant="inline-link"
          data-action={`provider-${action}`}
          loading={act.isRunning}
          onClick={() => void act.run({ body: { bindingId, action, revision } })}
        >
          {t(`providers.do.${action}`)}
        </Button>
      ))}
    </span>
  )
}

function AskProvider({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/teams')
  const form = useContractForm(serviceProviders.calls.inviteServiceProvider.body, { spId: '', note: '' })
  const act = useAction(providerApi.inviteServiceProvider, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('providers.asked') })
      onClose()
    },
  })
  return (
    <Modal visible header={t('providers.ask')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('providers.ask')}
        onCancel={onClose}
      >
        <TextField of={form} name="spId" label={t('team.id')} hint={t('providers.idHint')} inputMode="numeric" />
        <TextField of={form} name="note" label={t('providers.note')} />
      </ContractFormBox>
    </Modal>
  )
}
