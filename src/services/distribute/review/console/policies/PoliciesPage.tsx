import { shownLanguage } from '../../../../../console/shown.ts'
import '../review.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { policyApi, type RuleView } from '../review-calls.ts'
import { PolicyForm } from './PolicyForm.tsx'
import { PolicyHistory } from './PolicyHistory.tsx'

/** What a rejection may name: each rule in the version that counts, and its versions before. */
export default function PoliciesPage() {
  const { t } = useTranslation('distribute/review')
  const table = useTableState({ id: 'rules' })
  const found = useCall(policyApi.listPolicies, { query: { includeRetired: true } })
  const [edited, setEdited] = useState<RuleView | 'new' | null>(null)
  const [read, setRead] = useState<RuleView | null>(null)
  const result = {
    ...found,
    data: found.data && { list: found.data.list, total: found.data.list.length, nextCursor: null },
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('rules.title')}
        description={t('rules.text')}
        actions={
          <Can call={policyApi.publishPolicy}>
            <Button data-action="new-rule" variant="primary" onClick={() => setEdited('new')}>
              {t('rules.new')}
            </Button>
          </Can>
        }
      />
      <DataTable
        title={t('rules.title')}
        table={table}
        result={result as typeof found & { data: typeof result.data }}
        rowKey={row => row.policyId}
        rowName={row => row.policyId}
        empty={{ title: t('rules.none'), text: t('rules.noneText') }}
        columns={[
          {
            id: 'rule',
            header: t('issue.policy'),
            isName: true,
            minWidth: 340,
            cell: row => (
              <div className="review-rule">
                <strong>{row.policyId}</strong> {row.titles[shownLanguage()]}
                <div className="lg-soft">{row.texts[shownLanguage()]}</div>
              </div>
            ),
          },
          {
            id: 'version',
            header: t('rules.version'),
            minWidth: 110,
            cell: row => (
              <Button
                variant="inline-link"
                ariaLabel={`${row.version}: ${t('rules.history', { rule: row.policyId })}`}
                onClick={() => setRead(row)}
              >
                {row.version}
              </Button>
            ),
          },
          {
            id: 'state',
            header: t('task.state'),
            minWidth: 120,
            cell: row => (
              <StatusBadge
                tone={row.isRetired ? 'stopped' : 'good'}
                text={row.isRetired ? t('rules.retired') : t('rules.current')}
              />
            ),
          },
          {
            id: 'since',
            header: t('rules.since'),
            minWidth: 150,
            cell: row => (row.publishedAt === null ? t('rules.first') : <When at={row.publishedAt} />),
          },
          {
            id: 'edit',
            header: t('sensitive.change'),
            minWidth: 130,
            cell: row => (
              <Can call={policyApi.publishPolicy}>
                <Button data-action="edit-rule" onClick={() => setEdited(row)}>
                  {t('rules.edit')}
                </Button>
              </Can>
            ),
          },
        ]}
      />
      {edited && <PolicyForm rule={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {read && <PolicyHistory policyId={read.policyId} onClose={() => setRead(null)} />}
    </SpaceBetween>
  )
}
