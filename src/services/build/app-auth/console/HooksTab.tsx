import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { wholeList } from '../../../../console/kit/whole-list.ts'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { HookView } from '../hooks-desk/contract.ts'
import { hooksApi } from './auth-calls.ts'
import { HookDialog } from './HookDialog.tsx'

/** What the team's own server is asked before somebody becomes a user or signs in. */
export function HooksTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/app-auth')
  const [chosen, setChosen] = useState<HookView | 'new' | null>(null)
  const table = useTableState({ id: 'app-auth-hooks' })
  const found = useCall(hooksApi.listHooks, { query: { projectId } })
  const remove = useAction(hooksApi.deleteHook)
  const test = useAction(hooksApi.testHook, {
    onDone: ({ outcome, message }) =>
      notify({
        tone: outcome === 'ALLOWED' ? 'success' : outcome === 'DENIED' ? 'info' : 'error',
        text: outcome === 'ALLOWED' ? t('outcomes.ALLOWED') : `${t(`outcomes.${outcome}`)}: ${message}`,
      }),
  })
  const count = (value: number) => value.toLocaleString(i18n.resolvedLanguage)
  return (
    <>
      <DataTable
        title={t('tabs.hooks')}
        table={table}
        result={wholeList(found)}
        rowKey={row => row.hookId}
        rowName={row => row.url}
        empty={{ title: t('hooks.empty'), text: t('hooks.text') }}
        actions={
          <Can call={hooksApi.createHook}>
            <Button variant="primary" data-action="add-hook" onClick={() => setChosen('new')}>
              {t('hooks.add')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'url',
            header: t('hooks.url'),
            isName: true,
            minWidth: 240,
            cell: row => (
              <span className="auth-wrap" translate="no">
                {row.url}
              </span>
            ),
          },
          { id: 'moment', header: t('hooks.moment'), minWidth: 150, cell: row => t(`moments.${row.moment}`) },
          {
            id: 'state',
            header: t('users.state'),
            width: 130,
            cell: row => <StatusBadge tone={row.enabled ? 'good' : 'off'} text={row.enabled ? t('on') : t('off')} />,
          },
          {
            id: 'calls',
            header: t('hooks.calls'),
            width: 150,
            cell: row => `${count(row.calls)} / ${count(row.failures)}`,
          },
          {
            id: 'last',
            header: t('hooks.last'),
            width: 160,
            cell: row => (row.lastAt === null ? '–' : <When at={row.lastAt} />),
          },
          {
            id: 'actions',
            header: t('actions'),
            minWidth: 220,
            cell: row => (
              <Can call={hooksApi.updateHook}>
                <SpaceBetween direction="horizontal" size="s">
                  <Button
                    variant="inline-link"
                    data-action="test-hook"
                    onClick={() => void test.run({ body: { projectId, hookId: row.hookId } })}
                  >
                    {t('hooks.test')}
                  </Button>
                  <Button variant="inline-link" data-action="edit-hook" onClick={() => setChosen(row)}>
                    {t('methods.setUp')}
                  </Button>
                  <Button
                    variant="inline-link"
                    data-action="delete-hook"
                    onClick={() => void remove.run({ query: { projectId, hookId: row.hookId } })}
                  >
                    {t('users.delete')}
                  </Button>
                </SpaceBetween>
              </Can>
            ),
          },
        ]}
      />
      {chosen && (
        <HookDialog projectId={projectId} hook={chosen === 'new' ? null : chosen} onClose={() => setChosen(null)} />
      )}
    </>
  )
}
