import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { api } from '../agreement-calls.ts'
import { useWords } from '../words.ts'

/** Every signature and withdrawal, the newest first. */
export function SignedList({ onShow }: { onShow: (signId: string) => void }) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const table = useTableState({ id: 'signed' })
  const result = useCall(api.listSigned, { query: table.page }, { keepBefore: true })
  return (
    <DataTable
      title={t('history.title')}
      table={table}
      result={result}
      rowKey={row => row.signId}
      rowName={row => row.name[words.language]}
      empty={{ title: t('history.empty'), text: t('history.emptyText') }}
      columns={[
        {
          id: 'name',
          header: t('history.name'),
          isName: true,
          minWidth: 200,
          cell: row => (
            <Button variant="inline-link" data-action="signedText" onClick={() => onShow(row.signId)}>
              {row.name[words.language]}
            </Button>
          ),
        },
        {
          id: 'state',
          header: t('history.state'),
          width: 150,
          cell: row => (
            <StatusBadge
              tone={row.isAgree ? 'good' : 'stopped'}
              text={row.isAgree ? t('history.agreed') : t('history.withdrawn')}
            />
          ),
        },
        { id: 'version', header: t('history.version'), width: 110, cell: row => row.version },
        { id: 'language', header: t('text.language'), width: 150, cell: row => words.tongue(row.language) },
        { id: 'country', header: t('country.label'), width: 170, cell: row => words.country(row.country) },
        { id: 'signedAt', header: t('history.at'), width: 170, cell: row => <When at={row.signedAt} /> },
      ]}
    />
  )
}
