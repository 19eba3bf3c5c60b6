import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { useCall } from '../../../../console/use-call.ts'
import { Explain } from './Explain.tsx'
import { OwnRoles } from './OwnRoles.tsx'
import { RoleCards } from './RoleCards.tsx'
import { RoleEditor } from './RoleEditor.tsx'
import { RoleMatrix } from './RoleMatrix.tsx'
import { type RoleView, roleApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

/** Who may do what: a table to compare on a wide screen, one list a role on a phone. */
export default function RolesPage() {
  const { t } = useTranslation('ground/teams')
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useState<RoleView | 'new' | 'explain' | null>(null)
  const roles = useRoles()
  const permissions = useCall(roleApi.listPermissions, {})
  const error = roles.result.error ?? permissions.error
  const close = () => setOpen(null)

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('rolesPage.title')}
        description={
          <>
            {t('rolesPage.text')} <Link href={hrefOf('/team/members')}>{t('rolesPage.members')}</Link>
          </>
        }
        actions={
          <>
            <Button data-action="explain" onClick={() => setOpen('explain')}>
              {t('explain.title')}
            </Button>
            <Can call={roleApi.createRole}>
              <Button data-action="new-role" variant="primary" onClick={() => setOpen('new')}>
                {t('ownRoles.create')}
              </Button>
            </Can>
          </>
        }
      />
      {error && (
        <ErrorState
          error={error}
          onRetry={() => {
            void roles.result.refetch()
            void permissions.refetch()
          }}
        />
      )}
      {!error && (!roles.result.data || !permissions.data) && (
        <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
      )}
      {roles.result.data && permissions.data && (
        <OwnRoles roles={roles.all.filter(one => !one.builtIn)} onEdit={setOpen} />
      )}
      {roles.result.data && permissions.data && (
        <Container>
          {isNarrow ? (
            <RoleCards roles={roles.all} own={roles.held} nameOf={roles.nameOf} />
          ) : (
            <RoleMatrix roles={roles.all} permissions={permissions.data.list} own={roles.held} nameOf={roles.nameOf} />
          )}
        </Container>
      )}
      {open === 'explain' && <Explain onClose={close} />}
      {open !== null && open !== 'explain' && permissions.data && (
        <RoleEditor role={open === 'new' ? null : open} permissions={permissions.data.list} onClose={close} />
      )}
    </SpaceBetween>
  )
}
