import './profile.css'
import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import i18next from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { tellProven } from '../provider-proof.ts'
import { accountApi } from '../session-calls.ts'
import { AuthenticatorBox } from './AuthenticatorBox.tsx'
import { DeletionBox } from './DeletionBox.tsx'
import { IdentitiesBox } from './IdentitiesBox.tsx'
import { PasskeysBox } from './PasskeysBox.tsx'
import { PasswordBox } from './PasswordBox.tsx'
import { ProfileBox } from './ProfileBox.tsx'
import { SessionsBox } from './SessionsBox.tsx'

/** Everything about the person's own account but the real name. */
export default function SecurityPage() {
  const { t } = useTranslation('ground/session')
  const [{ done, problem }, change] = usePageSearch(raw => raw as { done?: string; problem?: string })
  const profile = useCall(accountApi.getProfile, {})
  useEffect(() => {
    if (done === 'confirmed') tellProven()
  }, [done])
  const key = `errors.${problem}`
  const dismiss = () => change({ done: undefined, problem: undefined }, { replace: true })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('security.title')} description={t('security.text')} />
      {problem && i18next.exists(key, { ns: 'ground/session' }) && (
        <Alert type="error" dismissible onDismiss={dismiss}>
          {t(key)}
        </Alert>
      )}
      {done && (
        <Alert type="success" dismissible onDismiss={dismiss}>
          {done === 'linked' ? t('identities.linked') : t('recent.done')}
        </Alert>
      )}
      {profile.data?.needsSecondFactor && <Alert type="warning">{t('security.staffNeeds')}</Alert>}
      {profile.error && <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.isPending && <StatusIndicator type="loading">{t('security.loading')}</StatusIndicator>}
      {profile.data && (
        <SpaceBetween size="l">
          <ProfileBox profile={profile.data} key={profile.data.revision} />
          <PasswordBox hasPassword={profile.data.hasPassword} changedAt={profile.data.passwordChangedAt} />
          <AuthenticatorBox />
          <PasskeysBox />
          <IdentitiesBox />
          <SessionsBox />
          <DeletionBox name={profile.data.name} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
