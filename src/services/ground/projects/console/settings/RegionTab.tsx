import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type DevProjectView, type RegionView, regionApi } from '../project-calls.ts'
import { ChangeRegion } from './ChangeRegion.tsx'

type Choice = RegionView['choices'][number]

export function RegionTab({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId } = project
  const [wanted, setWanted] = useState<Choice | null>(null)
  const table = useTableState({ id: 'project-zones' })
  const result = useCall(regionApi.getRegion, { query: { projectId } })
  const region = result.data
  const outlook = (row: Choice) => {
    if (row.isCurrent) return <StatusBadge tone="good" text={t('region.here')} />
    if (row.obstacle) return <StatusBadge tone="stopped" text={t(`region.obstacles.${row.obstacle}`)} />
    if (row.consequences.length === 0) return <StatusBadge tone="info" text={t('region.free')} />
    return <StatusBadge tone="caution" text={t('region.consequences', { count: row.consequences.length })} />
  }
  return (
    <SpaceBetween size="l">
      <Alert type="info">{t('region.text')}</Alert>
      <DataTable
        title={t('settings.tabs.region')}
        table={table}
        result={wholeList({ ...result, data: region && { list: region.choices } })}
        rowKey={row => row.zone}
        rowName={row => t(`zones.${row.zone}`)}
        empty={{ title: t('state.loading') }}
        columns={[
          {
            id: 'zone',
            header: t('projects.zone'),
            isName: true,
            minWidth: 180,
            cell: row => <ZoneName zone={row.zone} />,
          },
          { id: 'outlook', header: t('region.outlook'), minWidth: 260, cell: outlook },
          ...(may('projects.delete')
            ? [
                {
                  id: 'actions',
                  header: t('properties.actions'),
                  width: 150,
                  cell: (row: Choice) =>
                    !row.isCurrent &&
                    !row.obstacle && (
                      <Button variant="inline-link" data-action="change-zone" onClick={() => setWanted(row)}>
                        {t('region.choose')}
                      </Button>
                    ),
                },
              ]
            : []),
        ]}
      />
      {region?.lastChange && (
        <p className="lg-soft">
          {t('region.last', {
            from: t(`zones.${region.lastChange.fromZone}`),
            to: t(`zones.${region.lastChange.toZone}`),
          })}{' '}
          <When at={region.lastChange.at} />
        </p>
      )}
      {wanted && region && <ChangeRegion region={region} wanted={wanted} onClose={() => setWanted(null)} />}
    </SpaceBetween>
  )
}
