import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { errorText } from '../../../../console/error-text.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { grantApi, type ScopeView } from './client-calls.ts'
import { RightsChoice } from './RightsChoice.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'

/** Where the leader of a team decides whether a client of another team may come in, and how far. */
export default function GrantPage() {
  const { t } = useTranslation('ground/api-clients')
  const go = useGo()
  const [{ token }] = usePageSearch(raw => ({ token: String(raw['token'] ?? '') }))
  const [wanted, setWanted] = useState<string[] | null>(null)
  const [scope, setScope] = useState<ScopeView>({ projects: [], apps: [] })
  const result = useCall(grantApi.readGrantRequest, { query: { token } }, { enabled: token !== '' })
  const accept = useAction(grantApi.acceptGrant, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('grant.done') })
      go('/api-clients', {}, { tab: 'grants' })
    },
  })
  const header = <PageHeader title={t('grant.title')} description={t('grant.text')} />
  if (token === '') {
    return (
      <SpaceBetween size="l">
        {header}
        <Alert type="info">{t('grant.noToken')}</Alert>
      </SpaceBetween>
    )
  }
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const asked = result.data
  const chosen = wanted ?? asked.permissions
  const isEmpty = !scope.all && !scope.projects?.length
  return (
    <SpaceBetween size="l">
      {header}
      <Container>
        <SpaceBetween size="l">
          <KeyValuePairs
            columns={3}
            items={[
              { label: t('grants.client'), value: <span translate="no">{asked.clientName}</span> },
              { label: t('grant.team'), value: <span translate="no">{asked.clientTeamName}</span> },
              { label: t('grant.until'), value: <When at={asked.expiresAt} /> },
            ]}
          />
          <FormField label={t('list.rights')} description={t('grant.rightsHint')} stretch>
            <RightsChoice
              offered={asked.permissions.map(permission => ({ permission, group: permission.split('.')[0] ?? '' }))}
              isOpen
              chosen={chosen}
              onChange={setWanted}
            />
          </FormField>
          <FormField label={t('scope.title')} stretch>
            <ScopeChoice scope={scope} onChange={setScope} />
          </FormField>
          {accept.error && <Alert type="error">{errorText(accept.error)}</Alert>}
          <Button
            variant="primary"
            data-action="accept"
            loading={accept.isRunning}
            disabled={chosen.length === 0 || isEmpty}
            disabledReason={t('grant.nothing')}
            onClick={() => void accept.run({ body: { token, permissions: chosen, scope } })}
          >
            {t('grant.accept')}
          </Button>
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}
