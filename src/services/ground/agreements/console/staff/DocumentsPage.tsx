import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type DocumentState, documentCycle } from '../../rules.ts'
import { documentsApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'
import { NewDocument } from './NewDocument.tsx'
import { documentTones, shownState } from './states.ts'

/** All versions of all agreements, in every country. */
export default function DocumentsPage() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const [isNew, setNew] = useState(false)
  const table = useTableState<'state'>({ id: 'agreement-documents', filters: ['state'] })
  const { search, filters, page } = table
  const result = useCall(
    documentsApi.listDocuments,
    { query: { ...page, search, ...(filters.state && { state: filters.state as DocumentState }) } },
    { keepBefore: true },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('document.pageTitle')}
        description={t('document.pageText')}
        actions={<Button href={hrefOf('/operate/agreement-kinds')}>{t('kind.title')}</Button>}
      />
      <DataTable
        title={t('document.all')}
        table={table}
        result={result}
        rowKey={row => row.documentId}
        rowName={row => `${row.name[words.language]} ${row.version}`}
        searchLabel={t('document.search')}
        filters={[
          {
            id: 'state',
            label: t('history.state'),
            options: documentCycle.states.map(value => ({ value, label: t(`documentStates.${value}`) })),
          },
        ]}
        empty={{ title: t('document.empty'), text: t('document.emptyText') }}
        actions={
          <Button variant="primary" data-action="createDocument" onClick={() => setNew(true)}>
            {t('document.new')}
          </Button>
        }
        columns={[
          {
            id: 'name',
            header: t('history.name'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <Link href={hrefOf('/operate/agreements/$documentId', { documentId: row.documentId })}>
                {row.name[words.language]}
              </Link>
            ),
          },
          { id: 'version', header: t('history.version'), width: 95, cell: row => row.version },
          { id: 'country', header: t('country.label'), width: 155, cell: row => words.country(row.country) },
          {
            id: 'state',
            header: t('history.state'),
            width: 130,
            cell: row => {
              const state = shownState(row)
              return <StatusBadge tone={documentTones[state]} text={t(`documentStates.${state}`)} />
            },
          },
          { id: 'effectiveAt', header: t('effective.since'), width: 155, cell: row => <When at={row.effectiveAt} /> },
          {
            id: 'grace',
            header: t('document.grace'),
            width: 105,
            cell: row => t('document.days', { count: row.graceDays }),
          },
          { id: 'signatures', header: t('document.signatures'), width: 105, cell: row => row.signatures },
          {
            id: 'languages',
            header: t('document.languages'),
            minWidth: 130,
            cell: row => row.languages.map(words.tongue).join(', '),
          },
        ]}
      />
      {isNew && <NewDocument onClose={() => setNew(false)} />}
    </SpaceBetween>
  )
}
