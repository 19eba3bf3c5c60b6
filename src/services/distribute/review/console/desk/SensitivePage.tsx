import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { sensitive } from '../review-calls.ts'
import { SensitiveButton } from './SensitiveButton.tsx'
import { useDeskZone } from './use-desk-zone.ts'

/** Apps where two reviewers must agree, and why. */
export default function SensitivePage() {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const table = useTableState({ id: 'sensitive' })
  const result = useCall(sensitive.listSensitiveApps, { query: table.page }, { keepBefore: true, ...at })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('sensitive.title')} description={t('sensitive.text')} />
      <DataTable
        title={t('sensitive.title')}
        table={table}
        result={result}
        rowKey={row => row.appId}
        rowName={row => row.appName}
        empty={{ title: t('sensitive.empty'), text: t('sensitive.emptyText') }}
        columns={[
          {
            id: 'app',
            header: t('sensitive.app'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <>
                {row.appName}
                <div className="lg-soft">{row.packageName ?? row.appId}</div>
              </>
            ),
          },
          { id: 'reason', header: t('sensitive.reason'), minWidth: 260, cell: row => row.reason },
          { id: 'setBy', header: t('sensitive.setBy'), cell: row => row.setBy ?? '–' },
          { id: 'at', header: t('sensitive.at'), cell: row => <When at={row.at} /> },
          {
            id: 'unset',
            header: t('sensitive.change'),
            minWidth: 200,
            cell: row => (
              <Can call={sensitive.updateSensitiveApp}>
                <SensitiveButton appId={row.appId} appName={row.appName} isSensitive />
              </Can>
            ),
          },
        ]}
      />
    </SpaceBetween>
  )
}
