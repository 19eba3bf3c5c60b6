import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { api } from './version-calls.ts'
import { nameOf, toneOf } from './version-words.ts'

/** All versions of the app, the newest first. */
export function VersionHistory({ appId, shownId }: { appId: string; shownId: string }) {
  const { t } = useTranslation('distribute/versions')
  const table = useTableState({ id: 'versions' })
  const result = useCall(api.listVersions, { query: { appId, ...table.page } }, { keepBefore: true })
  return (
    <DataTable
      title={t('history.title')}
      table={table}
      result={result}
      rowKey={row => row.version.versionId}
      rowName={row => nameOf(row.version)}
      empty={{ title: t('version.none') }}
      columns={[
        {
          id: 'name',
          header: t('history.version'),
          isName: true,
          width: 280,
          cell: ({ version }) =>
            version.versionId === shownId ? (
              <span aria-current="true">{t('history.shown', { name: nameOf(version) })}</span>
            ) : (
              <Link href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId: version.versionId })}>
                {nameOf(version)}
              </Link>
            ),
        },
        {
          id: 'state',
          header: t('history.state'),
          cell: ({ version }) => <StatusBadge tone={toneOf[version.state]} text={t(`state.${version.state}`)} />,
        },
        { id: 'steps', header: t('history.steps'), cell: row => row.timeline.length },
        { id: 'onShelf', header: t('history.onShelf'), cell: ({ version }) => <When at={version.onShelfAt} /> },
        { id: 'offShelf', header: t('history.offShelf'), cell: ({ version }) => <When at={version.offShelfAt} /> },
        {
          id: 'updated',
          header: t('history.updated'),
          cell: ({ version }) => <When at={version.updatedAt} show="relative" />,
        },
      ]}
    />
  )
}
