import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type AudienceType, audienceTypes } from '../../rules.ts'
import { audiencesApi } from '../targeting-calls.ts'
import { AudienceState } from './AudienceState.tsx'
import { NewAudience } from './NewAudience.tsx'

/** The audiences of a project with their sizes. */
export function AudiencesTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('grow/targeting')
  const table = useTableState<'type'>({ id: 'targeting-audiences', filters: ['type'] })
  const [isAdding, setAdding] = useState(false)
  const type = table.filters.type as AudienceType | undefined
  const query = { projectId, ...table.page, search: table.search, ...(type && { type }) }
  const result = useCall(audiencesApi.listAudiences, { query }, { keepBefore: true })
  const add = (
    <Can call={audiencesApi.createAudience}>
      <Button variant="primary" data-action="create" onClick={() => setAdding(true)}>
        {t('audiences.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.audiences')}
        table={table}
        result={result}
        rowKey={row => row.audienceId}
        rowName={row => row.name}
        searchLabel={t('audiences.search')}
        filters={[
          {
            id: 'type',
            label: t('audiences.type'),
            options: audienceTypes.map(value => ({ value, label: t(`types.${value}`) })),
          },
        ]}
        empty={{ title: t('audiences.empty'), text: t('audiences.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <span translate="no">
                <Link href={hrefOf('/targeting/audiences/$audienceId', { audienceId: row.audienceId }, { projectId })}>
                  {row.name}
                </Link>
              </span>
            ),
          },
          { id: 'type', header: t('audiences.type'), width: 140, cell: row => t(`types.${row.type}`) },
          {
            id: 'size',
            header: t('audiences.size'),
            width: 130,
            cell: row => (row.refreshEvery === 'realtime' ? '–' : row.size.toLocaleString(i18n.resolvedLanguage)),
          },
          { id: 'state', header: t('state'), width: 190, cell: row => <AudienceState audience={row} /> },
          {
            id: 'refreshed',
            header: t('audiences.refreshedAt'),
            width: 180,
            cell: row => (row.refreshedAt === null ? '–' : <When at={row.refreshedAt} />),
          },
        ]}
      />
      {isAdding && <NewAudience projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  )
}
