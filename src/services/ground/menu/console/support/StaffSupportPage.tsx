import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { teamZone } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { shownZoneIds, type ZoneId } from '../../../../../kernel/zones.ts'
import { supportStates } from '../../rules.ts'
import { operations, type StaffSupportView } from '../menu-calls.ts'
import { useLanguage } from '../shown-language.ts'
import { AnswerForm } from './AnswerForm.tsx'
import { supportTones } from './support-states.ts'

/** Who asked for support, zone by zone, and the answers. */
export default function StaffSupportPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const [open, setOpen] = useState<StaffSupportView | null>(null)
  const table = useTableState<'zone' | 'state'>({ id: 'support-desk', filters: ['zone', 'state'] })
  const { page, search, filters } = table
  const zone = (filters.zone ?? teamZone() ?? 'CN') as ZoneId
  const result = useCall(
    operations.listSupport,
    { query: { ...page, search, ...(filters.state && { state: filters.state as 'waiting' }) } },
    { keepBefore: true, zone },
  )
  const nameOf = (row: StaffSupportView) => row.title?.[language] ?? row.serviceId
  const teamOf = (row: StaffSupportView) => row.teamName ?? t('groups.goneTeam')
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('support.deskTitle')} description={t('support.deskText')} />
      <DataTable
        title={t('support.allOf', { zone: t(`zones.${zone}`) })}
        table={table}
        result={result}
        rowKey={row => row.applyId}
        rowName={row => `${nameOf(row)}, ${teamOf(row)}`}
        searchLabel={t('support.search')}
        filters={[
          {
            id: 'zone',
            label: t('groups.zone'),
            options: shownZoneIds.map(value => ({ value, label: t(`zones.${value}`) })),
          },
          {
            id: 'state',
            label: t('announcements.state'),
            options: supportStates.map(value => ({ value, label: t(`support.states.${value}`) })),
          },
        ]}
        empty={{ title: t('support.deskEmpty'), text: t('support.deskEmptyText') }}
        columns={[
          {
            id: 'service',
            header: t('support.service'),
            isName: true,
            minWidth: 180,
            cell: row => nameOf(row),
          },
          {
            id: 'team',
            header: t('who.team'),
            minWidth: 180,
            cell: row => (row.teamName === null ? t('groups.goneTeam') : <span translate="no">{row.teamName}</span>),
          },
          {
            id: 'state',
            header: t('announcements.state'),
            width: 150,
            cell: row => <StatusBadge tone={supportTones[row.state]} text={t(`support.states.${row.state}`)} />,
          },
          {
            id: 'description',
            header: t('support.description'),
            minWidth: 260,
            cell: row => <span translate="no">{row.description}</span>,
          },
          { id: 'at', header: t('support.at'), width: 180, cell: row => <When at={row.createdAt} /> },
          {
            id: 'actions',
            header: t('write.actions'),
            width: 130,
            cell: row => {
              const verb = row.allowedActions.length > 0 ? 'give' : 'read'
              return (
                <Button
                  variant="inline-link"
                  data-action={`${verb}Support`}
                  ariaLabel={t(`support.${verb}Of`, { name: `${nameOf(row)}, ${teamOf(row)}` })}
                  onClick={() => setOpen(row)}
                >
                  {t(`support.${verb}`)}
                </Button>
              )
            },
          },
        ]}
      />
      {open && <AnswerForm row={open} name={nameOf(open)} zone={zone} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
