import '../auth.css'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { projectZone } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { usersApi } from '../auth-calls.ts'
import { providerText } from '../providers.ts'
import { SessionsBox } from './SessionsBox.tsx'
import { UserDialog } from './UserDialog.tsx'

/** One user of an app: who it is, how it signs in and where it is signed in. */
export default function UserPage() {
  const { t } = useTranslation('build/app-auth')
  const uid = usePageParam('uid')
  const [{ projectId }] = usePageSearch(raw => ({ projectId: String(raw['projectId'] ?? '') }))
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const zone = projectZone.get()
  const found = useCall(usersApi.getUser, { query: { projectId, uid } })
  const change = useAction(usersApi.updateUser)
  const remove = useAction(usersApi.deleteUser, {
    invalidates: [usersApi.listUsers],
    onDone: () => location.assign(hrefOf('/auth', {}, { projectId, tab: 'users', ...(zone ? { zone } : {}) })),
  })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) {
    return (
      <Box textAlign="center">
        <Spinner />
      </Box>
    )
  }
  const { user, claims, identities } = found.data
  const name = user.displayName || user.email || user.phone || user.uid
  const isOff = user.state === 'DISABLED'
  const flip = () => void change.run({ body: { projectId, uid, disabled: !isOff, revision: user.revision } })
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={name}
        actions={
          <Can call={usersApi.updateUser}>
            <SpaceBetween direction="horizontal" size="xs">
              <Button data-action="edit" onClick={() => setOpen('edit')}>
                {t('users.edit')}
              </Button>
              <Button data-action={isOff ? 'enable' : 'disable'} loading={change.isRunning} onClick={flip}>
                {isOff ? t('users.enable') : t('users.disable')}
              </Button>
              <Button data-action="delete" onClick={() => setOpen('delete')}>
                {t('users.delete')}
              </Button>
            </SpaceBetween>
          </Can>
        }
      />
      <Container header={<Header variant="h2">{t('users.about')}</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: 'UID', value: <span translate="no">{user.uid}</span> },
            {
              label: t('users.state'),
              value: <StatusBadge tone={isOff ? 'off' : 'good'} text={t(`states.${user.state}`)} />,
            },
            { label: t('users.password'), value: user.hasPassword ? t('users.isSet') : t('users.isNotSet') },
            {
              label: t('ways.email'),
              value: (
                <span className="auth-wrap">
                  <span translate="no">{user.email ?? '–'}</span>
                  {user.email !== null && ` (${user.emailVerified ? t('users.verified') : t('users.notVerified')})`}
                </span>
              ),
            },
            { label: t('ways.phone'), value: <span translate="no">{user.phone ?? '–'}</span> },
            { label: t('users.created'), value: <When at={user.createdAt} /> },
            {
              label: t('users.seen'),
              value: user.lastSignInAt === null ? t('users.never') : <When at={user.lastSignInAt} />,
            },
            ...(user.importUid === null
              ? []
              : [{ label: 'importUid', value: <span translate="no">{user.importUid}</span> }]),
            { label: t('users.claims'), value: <code className="auth-wrap">{JSON.stringify(claims)}</code> },
          ]}
        />
      </Container>
      <Container header={<Header variant="h2">{t('users.identities')}</Header>}>
        {identities.length === 0 ? (
          <Box color="text-body-secondary">{t('users.noIdentities')}</Box>
        ) : (
          <KeyValuePairs
            columns={2}
            items={identities.map(one => ({
              label: providerText(t, one.provider),
              value: (
                <span className="auth-wrap">
                  <span translate="no">
                    {one.displayName || one.email || one.openId} · {one.issuer}
                  </span>
                  <br />
                  <When at={one.linkedAt} />
                </span>
              ),
            }))}
          />
        )}
      </Container>
      <SessionsBox projectId={projectId} uid={uid} sessions={found.data.sessions} refetch={found.refetch} />
      {open === 'edit' && <UserDialog projectId={projectId} user={{ ...user, claims }} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmByName
          title={t('users.deleteTitle', { name })}
          name={name}
          verb={t('users.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { projectId, uid, eraseData: true } })}
          onCancel={() => setOpen(null)}
        >
          {t('users.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
