import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import type { CallInput } from '../../../../console/client.ts'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import type { packages } from '../contract.ts'
import { blocking, packageKinds, packageStates, packageUsages } from '../rules.ts'
import { BulkActions } from './BulkActions.tsx'
import { api, type PackageRow } from './package-calls.ts'
import { isProcessing, nameOf, toneOf } from './package-words.ts'
import { usePictures } from './use-pictures.ts'

type Wish = NonNullable<CallInput<typeof packages.calls.listPackages>['query']>

export function PackageTable({ appId }: { appId: string }) {
  const { t } = useTranslation('distribute/packages')
  const table = useTableState<'kind' | 'state' | 'usage'>({ id: 'packages', filters: ['kind', 'state', 'usage'] })
  const [chosen, setChosen] = useState<PackageRow[]>([])
  const query = { appId, ...table.page, ...table.filters, search: table.search } as Wish
  const result = useCall(
    api.listPackages,
    { query },
    {
      keepBefore: true,
      refetchInterval: ({ state }) => (state.data?.list.some(row => isProcessing(row.state)) ? 2000 : false),
    },
  )
  const rows = result.data?.list ?? []
  const pictures = usePictures(rows.map(row => row.iconObjectId))
  const findingsOf = (row: PackageRow) => {
    const blocks = blocking(row.findings, row.usage).length
    const warnings = row.findings.length - blocks
    if (row.findings.length === 0) return isProcessing(row.state) ? '–' : t('table.noFindings')
    return [blocks && t('table.blocks', { count: blocks }), warnings && t('table.warnings', { count: warnings })]
      .filter(Boolean)
      .join(', ')
  }
  const columns: TableColumn<PackageRow>[] = [
    {
      id: 'name',
      header: t('table.package'),
      isName: true,
      minWidth: 200,
      cell: row => (
        <span className="lg-thing-line">
          <ThingIcon
            name={row.label ?? row.fileName}
            url={row.iconObjectId ? pictures.get(row.iconObjectId) : undefined}
          />
          <span>
            <Link href={hrefOf('/apps/$appId/packages/$pkgId', { appId, pkgId: row.pkgId })}>{nameOf(row)}</Link>
            {row.versionCode !== null && (
              <>
                <br />
                <span className="lg-soft">{row.fileName}</span>
              </>
            )}
          </span>
        </span>
      ),
    },
    { id: 'kind', header: t('table.kind'), width: 75, cell: row => row.kind },
    {
      id: 'state',
      header: t('table.state'),
      width: 120,
      cell: row => <StatusBadge tone={toneOf[row.state]} text={t(`states.${row.state}`)} />,
    },
    { id: 'findings', header: t('table.findings'), width: 140, cell: findingsOf },
    { id: 'size', header: t('table.size'), width: 100, cell: row => <ByteSize value={row.sizeBytes} /> },
    { id: 'usage', header: t('table.usage'), width: 140, cell: row => t(`usages.${row.usage}`) },
    { id: 'held', header: t('table.used'), width: 90, cell: row => (row.isHeld ? t('table.inVersion') : '–') },
    { id: 'created', header: t('table.uploaded'), width: 155, cell: row => <When at={row.createdAt} /> },
  ]
  return (
    <DataTable
      title={t('table.title')}
      table={table}
      result={result}
      columns={columns}
      rowKey={row => row.pkgId}
      rowName={nameOf}
      searchLabel={t('table.search')}
      selection={{ type: 'multi', rows: chosen, onChange: setChosen }}
      actions={<BulkActions chosen={chosen} onDone={() => setChosen([])} />}
      filters={[
        {
          id: 'kind',
          label: t('table.kind'),
          options: packageKinds.map(kind => ({ value: kind, label: kind })),
        },
        {
          id: 'state',
          label: t('table.state'),
          options: packageStates.map(state => ({ value: state, label: t(`states.${state}`) })),
        },
        {
          id: 'usage',
          label: t('table.usage'),
          options: packageUsages.map(usage => ({ value: usage, label: t(`usages.${usage}`) })),
        },
      ]}
      empty={{ title: t('table.empty'), text: t('table.emptyText') }}
    />
  )
}
