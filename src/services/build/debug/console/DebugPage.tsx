import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../../console/client.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { debugging } from '../contract.ts'

const api = client(debugging)
const states = ['OPEN', 'CLOSED', 'EXPIRED'] as const

/** Own tokens for debugging tools, and what was done with them. */
export default function DebugPage() {
  const { t, i18n } = useTranslation('build/debug')
  const [token, setToken] = useState<string | null>(null)
  const table = useTableState<'state'>({ id: 'debug-sessions', filters: ['state'] })
  const state = states.find(one => one === table.filters.state)
  const result = useCall(api.listDebugSessions, { query: { ...table.page, ...(state ? { state } : {}) } })
  const issue = useAction(api.issueDebugToken, { onDone: answer => setToken(answer.token) })
  const end = useAction(api.endDebugSession)
  const make = (
    <Button
      variant="primary"
      data-action="issue"
      loading={issue.isRunning}
      onClick={() => void issue.run({ query: {} })}
    >
      {t('issue')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('title')} description={t('text')} />
      {token !== null && (
        <Alert type="info" header={t('token')} dismissible onDismiss={() => setToken(null)}>
          <span translate="no">
            <CopyToClipboard
              variant="inline"
              textToCopy={token}
              copyButtonAriaLabel={t('copy')}
              copySuccessText={t('copied')}
              copyErrorText={t('notCopied')}
            />
          </span>
        </Alert>
      )}
      <DataTable
        title={t('sessions')}
        table={table}
        result={result}
        rowKey={row => row.sessionId}
        rowName={row => row.target}
        filters={[
          { id: 'state', label: t('state'), options: states.map(value => ({ value, label: t(`states.${value}`) })) },
        ]}
        empty={{ title: t('empty'), text: t('emptyText'), action: make }}
        actions={make}
        columns={[
          {
            id: 'target',
            header: t('target'),
            isName: true,
            minWidth: 150,
            cell: row => <span translate="no">{row.target}</span>,
          },
          {
            id: 'scopes',
            header: t('scopes'),
            minWidth: 230,
            cell: row => row.scopes.map(one => t(`scope.${one.replace('.', '_')}`)).join(', '),
          },
          {
            id: 'state',
            header: t('state'),
            minWidth: 180,
            cell: row => (
              <StatusBadge
                tone={row.state === 'OPEN' ? 'good' : 'off'}
                text={row.endedBecause === null ? t(`states.${row.state}`) : t(`ended.${row.endedBecause}`)}
              />
            ),
          },
          { id: 'uses', header: t('uses'), width: 110, cell: row => row.uses.toLocaleString(i18n.resolvedLanguage) },
          { id: 'created', header: t('created'), width: 170, cell: row => <When at={row.createdAt} /> },
          { id: 'expires', header: t('expires'), width: 170, cell: row => <When at={row.expiresAt} /> },
          {
            id: 'actions',
            header: t('actions'),
            width: 110,
            cell: row =>
              row.state === 'OPEN' && (
                <Button
                  variant="inline-link"
                  data-action="end"
                  onClick={() => void end.run({ query: { sessionId: row.sessionId } })}
                >
                  {t('end')}
                </Button>
              ),
          },
        ]}
      />
    </SpaceBetween>
  )
}
