import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ParameterView } from '../../contract.ts'
import { staleDays, valueTypes } from '../../rules.ts'
import { api, exchangeApi, type TabProps } from '../config-calls.ts'
import { ImportDialog } from '../ImportDialog.tsx'
import { ParameterDialog } from './ParameterDialog.tsx'
import { ValueList } from './ValueList.tsx'

/** The parameters of the draft, the values of each condition below one another. */
export function ParametersTab({ where, head }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const table = useTableState({ id: 'remote-config', filters: ['group', 'type', 'condition', 'show'] as const })
  const { group, type, condition, show } = table.filters
  const found = useCall(
    api.listParameters,
    {
      query: {
        ...where,
        ...table.page,
        ...(table.search && { search: table.search }),
        ...(group !== undefined && { group }),
        ...(type && { valueType: type as 'STRING' }),
        ...(condition && { condition }),
        ...(show && { show: show as 'changed' }),
      },
    },
    { keepBefore: true },
  )
  const conditions = useCall(api.listConditions, { query: { ...where, pageSize: 100 } })
  const [open, setOpen] = useState<ParameterView | 'new' | 'import' | null>(null)
  const names = conditions.data?.list ?? []
  const colors = new Map(names.map(one => [one.name, one.tagColor]))
  const order = new Map(names.map(one => [one.name, one.place]))
  const create = (
    <>
      <Can call={exchangeApi.importTemplate}>
        <Button data-action="importTemplate" onClick={() => setOpen('import')}>
          {t('import.open')}
        </Button>
      </Can>
      <Can call={api.createParameter}>
        <Button variant="primary" data-action="createParameter" onClick={() => setOpen('new')}>
          {t('parameters.create')}
        </Button>
      </Can>
    </>
  )
  const options = (list: readonly string[], label: (one: string) => string = one => one) =>
    list.map(value => ({ value, label: label(value) }))
  return (
    <>
      <DataTable
        title={t('tabs.parameters')}
        table={table}
        result={found}
        rowKey={row => row.key}
        rowName={row => row.key}
        searchLabel={t('parameters.search')}
        filters={[
          ...(head.groups.length > 0
            ? [
                {
                  id: 'group' as const,
                  label: t('parameters.group'),
                  options: options(head.groups.map(one => one.name)),
                },
              ]
            : []),
          { id: 'type', label: t('parameters.type'), options: options(valueTypes, one => t(`types.${one}`)) },
          ...(names.length > 0
            ? [
                {
                  id: 'condition' as const,
                  label: t('parameters.condition'),
                  options: options(names.map(one => one.name)),
                },
              ]
            : []),
          {
            id: 'show',
            label: t('parameters.show'),
            options: options(['changed', 'expired', 'stale'], one => t(`shows.${one}`)),
          },
        ]}
        actions={create}
        empty={{
          title: t('parameters.empty'),
          text: t('parameters.emptyText'),
          action: (
            <SpaceBetween direction="horizontal" size="xs">
              {create}
            </SpaceBetween>
          ),
        }}
        columns={[
          {
            id: 'key',
            header: t('parameters.key'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <>
                <Button variant="inline-link" data-action="openParameter" onClick={() => setOpen(row)}>
                  <span translate="no">{row.key}</span>
                </Button>
                {row.description !== '' && <div className="lg-soft">{row.description}</div>}
              </>
            ),
          },
          { id: 'type', header: t('parameters.type'), width: 120, cell: row => t(`types.${row.valueType}`) },
          {
            id: 'values',
            header: t('parameters.values'),
            minWidth: 320,
            cell: row => <ValueList of={row} colors={colors} order={order} />,
          },
          { id: 'group', header: t('parameters.group'), width: 130, cell: row => row.group ?? '–' },
          { id: 'change', header: t('parameters.change'), width: 175, cell: row => <StateBadges of={row} /> },
        ]}
      />
      {open === 'import' && <ImportDialog where={where} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'import' && (
        <ParameterDialog
          where={where}
          parameter={open === 'new' ? null : open}
          conditions={names.map(one => one.name)}
          groups={head.groups.map(one => one.name)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

function StateBadges({ of }: { of: ParameterView }) {
  const { t } = useTranslation('grow/remote-config')
  return (
    <>
      <ChangeBadge of={of} />
      {of.stale !== null && (
        <div>
          <StatusBadge tone="caution" text={t('stale.badge')} />
          <div className="lg-soft lg-wrapped">{t(`stale.${of.stale}`, { count: staleDays[of.stale] })}</div>
        </div>
      )}
    </>
  )
}

function ChangeBadge({ of }: { of: ParameterView }) {
  const { t } = useTranslation('grow/remote-config')
  if (of.isExpired) return <StatusBadge tone="caution" text={t('shows.expired')} />
  if (of.change === 'none') return <StatusBadge tone="good" text={t('changes.none')} />
  return <StatusBadge tone="waiting" text={t(`changes.${of.change}`)} />
}
