import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../console/kit/ExportMenu.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { NameKind, nameSorts } from '../rules.ts'
import { api, numberText, pageTitle, type TeamName } from './use-calls.ts'

interface TeamNamesProps {
  zone: ZoneId
  days: number
  kind: NameKind
}

/** The pages that the team opened, or the buttons it pressed, each with its numbers; names beyond the bound are one row. */
export function TeamNames({ zone, days, kind }: TeamNamesProps) {
  const { t } = useTranslation('analyse/collect')
  const table = useTableState({ id: `team-use-${kind}`, sort: { by: 'events', isDescending: true } })
  const sort = {
    sort: (table.sort?.by ?? 'events') as (typeof nameSorts)[number],
    order: table.sort?.isDescending === false ? 'asc' : 'desc',
  } as const
  const query = { ...table.page, ...sort, kind, days, ...(table.search && { search: table.search }) }
  const found = useCall(api.listTeamNames, { query }, { keepBefore: true, zone })
  const titleOf = (row: TeamName) => (row.isOther ? t('otherNames') : kind === 'page' ? pageTitle(row.name) : undefined)
  const { taken = 0, most = 0 } = found.data ?? {}
  return (
    <SpaceBetween size="s">
      <DataTable<TeamName>
        title={t(`team.of.${kind}`)}
        table={table}
        result={found}
        rowKey={row => row.name}
        rowName={row => titleOf(row) ?? row.name}
        searchLabel={t(`team.search.${kind}`)}
        empty={{ title: t(`none.${kind}`) }}
        actions={
          <ExportMenu
            isDisabled={!found.data?.total}
            ask={file => api.exportTeamUse.raw({ query: { sheet: kind, days, ...file } }, { zone })}
          />
        }
        columns={[
          {
            id: 'name',
            header: t(`team.name.${kind}`),
            sortBy: 'name',
            isName: true,
            minWidth: 220,
            cell: row => (
              <span className="use-name">
                {titleOf(row)}
                {!row.isOther && <code translate="no">{row.name}</code>}
              </span>
            ),
          },
          {
            id: 'events',
            header: kind === 'page' ? t('views') : t('clicks'),
            sortBy: 'events',
            width: 170,
            cell: row => numberText(kind === 'page' ? row.views : row.clicks),
          },
          {
            id: 'visitors',
            header: t('visitors'),
            sortBy: 'visitors',
            width: 150,
            cell: row => numberText(row.visitors),
          },
        ]}
      />
      {taken > 0 && taken >= most ? (
        <Alert type="warning">{t(`team.full.${kind}`, { most: numberText(most) })}</Alert>
      ) : (
        <p className="lg-soft">{t(`team.taken.${kind}`, { taken: numberText(taken), most: numberText(most) })}</p>
      )}
    </SpaceBetween>
  )
}
