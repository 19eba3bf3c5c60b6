import Container from '@cloudscape-design/components/container'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useSession } from '../../../../console/session.ts'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { useCall } from '../../../../console/use-call.ts'
import { RoleCards } from './RoleCards.tsx'
import { RoleMatrix } from './RoleMatrix.tsx'
import { api } from './team-calls.ts'

/** Who may do what: a table to compare on a wide screen, one list a role on a phone. */
export default function RolesPage() {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const isNarrow = useIsNarrow()
  const roles = useCall(api.listRoles, {})
  const permissions = useCall(api.listPermissions, {})
  const own = session.status === 'in' ? session.info.userRoles : []
  const error = roles.error ?? permissions.error

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('rolesPage.title')}
        description={
          <>
            {t('rolesPage.text')} <Link href={hrefOf('/team/members')}>{t('rolesPage.members')}</Link>
          </>
        }
      />
      {error && (
        <ErrorState
          error={error}
          onRetry={() => {
            void roles.refetch()
            void permissions.refetch()
          }}
        />
      )}
      {!error && (!roles.data || !permissions.data) && (
        <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
      )}
      {roles.data && permissions.data && (
        <Container>
          {isNarrow ? (
            <RoleCards roles={roles.data.list} own={own} />
          ) : (
            <RoleMatrix roles={roles.data.list.map(one => one.role)} permissions={permissions.data.list} own={own} />
          )}
        </Container>
      )}
    </SpaceBetween>
  )
}
