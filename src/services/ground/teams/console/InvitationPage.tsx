import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import './teams.css'
import { useGo, usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { LanguageLinks } from '../../../../console/LanguageLinks.tsx'
import { returnAddress } from '../../../../console/session.ts'
import { switchTeam } from '../../../../console/shell/session-actions.ts'
import { userInfoCookie } from '../../../../console/stored.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { NewcomerForm } from './NewcomerForm.tsx'
import { invitationApi } from './team-calls.ts'

/** What the link of an invitation opens, for people with an account and without. */
export default function InvitationPage() {
  const { t } = useTranslation('ground/teams')
  const token = usePageParam('token')
  const told = useCall(invitationApi.readInvitation, { body: { token } }, { retry: false, staleTime: 0 })
  return (
    <main id="page" className="teams-invited">
      <Container
        header={
          <Box variant="h1" padding={{ top: 's' }}>
            {told.data ? t('invited.title', { team: told.data.teamName }) : t('invited.loading')}
          </Box>
        }
        footer={<LanguageLinks />}
      >
        {told.error && (
          <SpaceBetween size="m">
            <ErrorState error={told.error} />
            {told.error.status === 404 && <Box>{t('invited.unknown')}</Box>}
          </SpaceBetween>
        )}
        {told.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        {told.data && (
          <SpaceBetween size="l">
            <Box>{t('invited.by', { name: told.data.invitedByName, address: told.data.address })}</Box>
            <KeyValuePairs
              columns={2}
              items={[
                {
                  label: t('members.roles'),
                  value: told.data.roles.map(role => t(`roles.${role}`, { defaultValue: role })).join(', '),
                },
                { label: t('invitations.expires'), value: <When at={told.data.expiresAt} /> },
              ]}
            />
            {told.data.state === 'open' ? (
              <Answers token={token} hasAccount={told.data.hasAccount} />
            ) : (
              <Alert type="info">{t(`invited.states.${told.data.state}`)}</Alert>
            )}
          </SpaceBetween>
        )}
      </Container>
    </main>
  )
}

function Answers({ token, hasAccount }: { token: string; hasAccount: boolean }) {
  const { t } = useTranslation('ground/teams')
  const go = useGo()
  const [isJoining, setJoining] = useState(false)
  const isSignedIn = userInfoCookie() !== undefined
  const accept = useAction(invitationApi.acceptInvitation, { onDone: ({ teamId }) => void switchTeam(teamId) })
  const decline = useAction(invitationApi.declineInvitation)
  const signIn = () => {
    returnAddress.keep(location.hash)
    go('/sign-in')
  }
  if (isJoining) return <NewcomerForm token={token} onCancel={() => setJoining(false)} />
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {isSignedIn ? (
        <Button
          variant="primary"
          data-action="accept"
          loading={accept.isRunning}
          onClick={() => void accept.run({ body: { token } })}
        >
          {t('invited.accept')}
        </Button>
      ) : hasAccount ? (
        <Button variant="primary" data-action="sign-in" onClick={signIn}>
          {t('invited.signIn')}
        </Button>
      ) : (
        <Button variant="primary" data-action="accept-new" onClick={() => setJoining(true)}>
          {t('invited.acceptNew')}
        </Button>
      )}
      <Button data-action="decline" loading={decline.isRunning} onClick={() => void decline.run({ body: { token } })}>
        {t('invited.decline')}
      </Button>
    </SpaceBetween>
  )
}
