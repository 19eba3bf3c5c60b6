import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { AppUserWhole } from '../../user-desk/contract.ts'
import { usersApi } from '../auth-calls.ts'
import { providerText } from '../providers.ts'

type Session = AppUserWhole['sessions'][number]

interface SessionsBoxProps {
  projectId: string
  uid: string
  sessions: Session[]
  refetch: () => unknown
}

/** Where a user is and was signed in; each session can be ended here. */
export function SessionsBox({ projectId, uid, sessions, refetch }: SessionsBoxProps) {
  const { t } = useTranslation('build/app-auth')
  const table = useTableState({ id: 'app-user-sessions' })
  const end = useAction(usersApi.endUserSession)
  const isOpen = (one: Session) => one.endedAt === null
  return (
    <DataTable
      title={t('sessions.title')}
      table={table}
      result={{
        data: { total: sessions.length, list: sessions, nextCursor: null },
        error: null,
        isPending: false,
        isFetching: false,
        refetch,
      }}
      rowKey={row => row.familyId}
      rowName={row => row.device || row.familyId}
      empty={{ title: t('sessions.empty') }}
      actions={
        sessions.some(isOpen) && (
          <Can call={usersApi.endUserSession}>
            <Button
              data-action="end-all"
              loading={end.isRunning}
              onClick={() => void end.run({ query: { projectId, uid } })}
            >
              {t('sessions.endAll')}
            </Button>
          </Can>
        )
      }
      columns={[
        {
          id: 'device',
          header: t('sessions.device'),
          isName: true,
          minWidth: 220,
          cell: row => (
            <span className="auth-wrap" translate="no">
              {row.device || '–'}
            </span>
          ),
        },
        { id: 'provider', header: t('users.provider'), minWidth: 150, cell: row => providerText(t, row.provider) },
        { id: 'used', header: t('sessions.used'), width: 180, cell: row => <When at={row.lastUsedAt} /> },
        {
          id: 'state',
          header: t('users.state'),
          minWidth: 200,
          cell: row => (
            <StatusBadge
              tone={isOpen(row) ? 'good' : row.endedBecause === 'REUSE' ? 'bad' : 'off'}
              text={isOpen(row) ? t('sessions.open') : t(`ended.${row.endedBecause ?? 'REVOKED'}`)}
            />
          ),
        },
        {
          id: 'actions',
          header: t('actions'),
          width: 130,
          cell: row =>
            isOpen(row) && (
              <Can call={usersApi.endUserSession}>
                <Button
                  variant="inline-link"
                  data-action="end"
                  ariaLabel={`${t('sessions.end')} ${row.device}`}
                  onClick={() => void end.run({ query: { projectId, uid, familyId: row.familyId } })}
                >
                  {t('sessions.end')}
                </Button>
              </Can>
            ),
        },
      ]}
    />
  )
}
