import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { deletionApi } from '../session-calls.ts'

const dayMs = 86_400_000

/** Deleting one's own account; what stands in the way is said before anything is asked. */
export function DeletionBox({ name }: { name: string }) {
  const { t } = useTranslation('ground/session')
  const [isAsking, setAsking] = useState(false)
  const found = useCall(deletionApi.getDeletion, {})
  const ask = useAction(deletionApi.askDeletion, {
    // The session has ended: nothing is read anew, and the page begins as a visitor's.
    invalidates: [],
    onDone: ({ erasesAt }) => {
      location.hash = `#/sign-in?erases=${erasesAt}`
      location.reload()
    },
  })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const { teamsLed = [], isLastAdministrator = false, graceMs = 0 } = found.data ?? {}
  const count = Math.round(graceMs / dayMs)
  const isBarred = teamsLed.length > 0 || isLastAdministrator
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('deletion.text', { count })}
          actions={
            <Button data-action="delete-account" disabled={!found.data || isBarred} onClick={() => setAsking(true)}>
              {t('deletion.ask')}
            </Button>
          }
        >
          {t('deletion.title')}
        </Header>
      }
    >
      <SpaceBetween size="s">
        {found.isPending && <StatusIndicator type="loading">{t('security.loading')}</StatusIndicator>}
        {found.data && !isBarred && <span className="lg-soft">{t('deletion.free')}</span>}
        {teamsLed.length > 0 && (
          <Alert type="info" header={t('deletion.leads')}>
            {t('deletion.leadsText')}
            <ul>
              {teamsLed.map(team => (
                <li key={team.teamId} translate="no">
                  {team.name}
                </li>
              ))}
            </ul>
            <Link href={hrefOf('/team')}>{t('deletion.toTeam')}</Link>
          </Alert>
        )}
        {isLastAdministrator && <Alert type="info">{t('errors.201010025')}</Alert>}
      </SpaceBetween>
      {isAsking && (
        <ConfirmByName
          title={t('deletion.confirmTitle')}
          name={name}
          verb={t('deletion.confirm')}
          isRunning={ask.isRunning}
          onConfirm={() => void ask.run({}).then(() => setAsking(false))}
          onCancel={() => setAsking(false)}
        >
          {t('deletion.confirmText', { count })}
        </ConfirmByName>
      )}
    </Container>
  )
}
