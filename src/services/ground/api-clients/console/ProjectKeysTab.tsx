import Button from '@cloudscape-design/components/button'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { grantApi, projectKeyApi } from './client-calls.ts'

/** The API keys of a project, which apps carry; they are made and changed in the project's settings. */
export function ProjectKeysTab() {
  const { t } = useTranslation('ground/api-clients')
  const [chosen, setChosen] = useState<string | null>(null)
  const table = useTableState({ id: 'project-keys' })
  const found = useCall(grantApi.listGrantResources, { query: { pageSize: 100 } })
  const options = (found.data?.projects.list ?? []).map(one => ({ value: one.projectId, label: one.name }))
  const projectId = chosen ?? options[0]?.value ?? ''
  const result = useCall(projectKeyApi.listApiKeys, { query: { projectId } }, { enabled: projectId !== '' })
  const list = projectId === '' && found.data ? [] : result.data?.list
  const isPending = found.isPending || (projectId !== '' && result.isPending)
  return (
    <SpaceBetween size="m">
      <Select
        ariaLabel={t('debug.project')}
        selectedOption={options.find(one => one.value === projectId) ?? null}
        options={options}
        filteringType="auto"
        placeholder={t('debug.choose')}
        empty={t('scope.none')}
        onChange={({ detail }) => setChosen(detail.selectedOption.value ?? null)}
      />
      <DataTable
        title={t('tabs.projectKeys')}
        table={table}
        result={{
          ...result,
          isPending,
          error: found.error ?? result.error,
          data: list && { total: list.length, list, nextCursor: null },
        }}
        rowKey={row => row.keyId}
        rowName={row => row.name}
        empty={{ title: t('empty.projectKeys'), text: t('emptyText.projectKeys') }}
        actions={
          projectId !== '' && (
            <Button href={hrefOf('/projects/$projectId/settings', { projectId }, { tab: 'keys' })}>
              {t('projectKeys.manage')}
            </Button>
          )
        }
        columns={[
          {
            id: 'name',
            header: t('list.name'),
            isName: true,
            minWidth: 180,
            cell: row => <span translate="no">{row.name}</span>,
          },
          {
            id: 'prefix',
            header: t('projectKeys.prefix'),
            width: 160,
            cell: row => <code translate="no">{row.prefix}…</code>,
          },
          {
            id: 'state',
            header: t('list.state'),
            width: 160,
            cell: row => (
              <StatusBadge tone={row.state === 'ACTIVE' ? 'good' : 'off'} text={t(`projectKeys.states.${row.state}`)} />
            ),
          },
          {
            id: 'ends',
            header: t('list.ends'),
            width: 170,
            cell: row => (row.expireAt === null ? t('list.open') : <When at={row.expireAt} />),
          },
        ]}
      />
    </SpaceBetween>
  )
}
