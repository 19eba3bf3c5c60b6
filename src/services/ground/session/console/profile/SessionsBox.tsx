import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { deviceName } from './device-name.ts'
import { deviceApi } from './profile-calls.ts'

export function SessionsBox() {
  const { t } = useTranslation('ground/session')
  const sessions = useCall(deviceApi.listSessions, {})
  const end = useAction(deviceApi.endSession, {
    onDone: () => {
      notify({ tone: 'success', text: t('sessions.ended', { count: 1 }) })
    },
  })
  const endOthers = useAction(deviceApi.endOtherSessions, {
    onDone: ({ ended }) => {
      notify({ tone: 'success', text: t('sessions.ended', { count: ended }) })
    },
  })
  const list = sessions.data?.list ?? []
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={sessions.data ? `(${list.length})` : ''}
          description={t('sessions.text')}
          actions={
            <Button
              data-action="end-others"
              disabled={list.length < 2}
              loading={endOthers.isRunning}
              onClick={() => void endOthers.run({})}
            >
              {t('sessions.endOthers')}
            </Button>
          }
        >
          {t('sessions.title')}
        </Header>
      }
    >
      {sessions.error && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
      <ul className="session-lines">
        {list.map(row => {
          const device = deviceName(row.userAgent) ?? t('sessions.unknown')
          return (
            <li key={row.sessionId}>
              <span>
                <strong>{device}</strong>
                <br />
                <span className="lg-soft">
                  {[row.ip, t(`sessions.methods.${row.method}`)].filter(Boolean).join(' · ')}
                  {' · '}
                  {t('sessions.seen')} <When at={row.lastSeenAt} show="relative" />
                </span>
              </span>
              {row.isThis ? (
                <StatusBadge tone="good" text={t('sessions.this')} />
              ) : (
                <Button
                  data-action="end-session"
                  ariaLabel={t('sessions.endOf', { device })}
                  onClick={() => void end.run({ params: { sessionId: row.sessionId } })}
                >
                  {t('sessions.end')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Container>
  )
}
