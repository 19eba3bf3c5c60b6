import './api-clients.css'
import Alert from '@cloudscape-design/components/alert'
import Badge from '@cloudscape-design/components/badge'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { ClientActions } from './ClientActions.tsx'
import { ClientState } from './ClientState.tsx'
import { callsOf, type Whose } from './client-calls.ts'
import { KeysBox } from './KeysBox.tsx'
import { ReleaseExample } from './ReleaseExample.tsx'
import { useRightWords } from './right-words.ts'
import { UseExample } from './UseExample.tsx'

/** One client: what it is, what it may do now, with what it proves itself, how it is used. */
export function ClientPage({ whose }: { whose: Whose }) {
  const { t } = useTranslation('ground/api-clients')
  const words = useRightWords()
  const clientId = usePageParam('clientId')
  const result = useCall(callsOf[whose].get, { query: { clientId } })
  usePageTitle(result.data?.name)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const client = result.data
  const { grantedBy, scope, secrets } = client
  const now = new Set(client.permissionsNow)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={client.name}
        description={client.description}
        status={<ClientState client={client} />}
        actions={<ClientActions whose={whose} client={client} />}
      />
      {grantedBy?.isMember === false && (
        <Alert type="warning" header={t('client.nobody')}>
          {t('client.nobodyText')}
        </Alert>
      )}
      <Container header={<Header variant="h2">{t('client.facts')}</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: t('client.id'), value: <span translate="no">{clientId}</span> },
            { label: t('list.zones'), value: client.zones.map(zone => t(`zones.${zone}`)).join(', ') },
            {
              label: t('scope.title'),
              value: scope.all
                ? t('scope.all')
                : t('scope.count', { count: (scope.projects?.length ?? 0) + (scope.apps?.length ?? 0) }),
            },
            { label: t('client.answers'), value: <span translate="no">{grantedBy?.name ?? '–'}</span> },
            {
              label: t('list.used'),
              value: client.lastUsedAt === null ? t('list.never') : <When at={client.lastUsedAt} />,
            },
            {
              label: t('list.ends'),
              value: client.expiresAt === null ? t('list.open') : <When at={client.expiresAt} />,
            },
            {
              label: t('client.secrets'),
              value: secrets.map(one => (
                <div key={one.prefix}>
                  <code translate="no">{one.prefix}…</code>{' '}
                  {one.expiresAt === null ? (
                    <When at={one.createdAt} />
                  ) : (
                    <>
                      {t('client.secretUntil')} <When at={one.expiresAt} />
                    </>
                  )}
                </div>
              )),
            },
            { label: t('client.made'), value: <When at={client.createdAt} /> },
          ]}
        />
      </Container>
      <Container header={<Header variant="h2">{t('client.rights')}</Header>}>
        <div className="clients-rights">
          {client.permissions.map(permission => (
            <Badge key={permission} color={now.has(permission) ? 'blue' : 'grey'}>
              <span className={now.has(permission) ? undefined : 'clients-rights-lost'}>{words.right(permission)}</span>
            </Badge>
          ))}
        </div>
        {now.size < client.permissions.length && <div className="lg-soft">{t('client.rightsLost')}</div>}
      </Container>
      {may('apiClients.read') && <KeysBox client={client} />}
      <UseExample clientId={clientId} />
      {now.has('versions.submit') && <ReleaseExample clientId={clientId} />}
    </SpaceBetween>
  )
}
