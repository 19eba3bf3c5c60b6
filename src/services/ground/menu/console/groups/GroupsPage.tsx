import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, useGo } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { teamZone } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { shownZoneIds, type ZoneId } from '../../../../../kernel/zones.ts'
import { operations } from '../menu-calls.ts'
import { NewGroup } from './NewGroup.tsx'

/** Groups of teams, zone by zone: the address says which. */
export default function GroupsPage() {
  const { t } = useTranslation('ground/menu')
  const go = useGo()
  const [isMaking, setMaking] = useState(false)
  const table = useTableState<'zone'>({ id: 'groups', filters: ['zone'] })
  const zone = (table.filters.zone ?? teamZone() ?? 'CN') as ZoneId
  const result = useCall(
    operations.listGroups,
    { query: { ...table.page, search: table.search } },
    { keepBefore: true, zone },
  )
  const create = (variant: 'primary' | 'normal') => (
    <Button variant={variant} data-action="newGroup" onClick={() => setMaking(true)}>
      {t('groups.new')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('groups.title')} description={t('groups.text')} />
      <DataTable
        title={t('groups.allOf', { zone: t(`zones.${zone}`) })}
        table={table}
        result={result}
        rowKey={row => row.groupCode}
        rowName={row => row.name}
        searchLabel={t('groups.search')}
        filters={[
          {
            id: 'zone',
            label: t('groups.zone'),
            options: shownZoneIds.map(value => ({ value, label: t(`zones.${value}`) })),
          },
        ]}
        empty={{ title: t('groups.empty'), text: t('groups.emptyText'), action: create('normal') }}
        actions={create('primary')}
        columns={[
          {
            id: 'name',
            header: t('groups.name'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <Link href={hrefOf('/operate/groups/$groupCode', { groupCode: row.groupCode }, { zone })}>
                <span translate="no">{row.name}</span>
              </Link>
            ),
          },
          { id: 'code', header: t('groups.code'), minWidth: 180, cell: row => <code>{row.groupCode}</code> },
          { id: 'teams', header: t('groups.teams'), width: 130, cell: row => row.teams },
          {
            id: 'updated',
            header: t('switches.changed'),
            width: 190,
            cell: row => <When at={row.updatedAt} show="relative" />,
          },
        ]}
      />
      {isMaking && (
        <NewGroup
          zone={zone}
          onClose={() => setMaking(false)}
          onMade={groupCode => go('/operate/groups/$groupCode', { groupCode }, { zone })}
        />
      )}
    </SpaceBetween>
  )
}
