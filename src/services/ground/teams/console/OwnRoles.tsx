import './teams.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { type RoleView, roleApi } from './team-calls.ts'

interface OwnRolesProps {
  roles: readonly RoleView[]
  onEdit: (role: RoleView) => void
}

/** The roles that the team made for itself. */
export function OwnRoles({ roles, onEdit }: OwnRolesProps) {
  const { t } = useTranslation('ground/teams')
  const [ending, setEnding] = useState<RoleView | null>(null)
  const remove = useAction(roleApi.deleteRole, {
    onDone: () => {
      notify({ tone: 'success', text: t('ownRoles.deleted') })
    },
  })
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${roles.length})`} description={t('ownRoles.text')}>
          {t('ownRoles.title')}
        </Header>
      }
    >
      {roles.length === 0 && <EmptyState title={t('ownRoles.empty')} text={t('ownRoles.emptyText')} />}
      <ul className="teams-mine">
        {roles.map(role => (
          <li key={role.role}>
            <span>
              <strong>{role.name}</strong>
              <br />
              <span className="lg-soft">
                {[
                  role.description,
                  t('ownRoles.rights', { count: role.permissions.length }),
                  t('ownRoles.holders', { count: role.members }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="teams-acts">
              {role.allowedActions.includes('edit') && (
                <Button
                  data-action="edit-role"
                  ariaLabel={t('ownRoles.editOf', { name: role.name })}
                  onClick={() => onEdit(role)}
                >
                  {t('ownRoles.edit')}
                </Button>
              )}
              {role.allowedActions.includes('delete') && (
                <Button
                  data-action="delete-role"
                  ariaLabel={t('ownRoles.deleteOf', { name: role.name })}
                  onClick={() => setEnding(role)}
                >
                  {t('ownRoles.delete')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {ending && (
        <ConfirmByName
          title={t('ownRoles.deleteOf', { name: ending.name })}
          name={ending.name ?? ''}
          verb={t('ownRoles.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { roleId: ending.role } }).then(() => setEnding(null))}
          onCancel={() => setEnding(null)}
        >
          {t('ownRoles.deleteText')}
        </ConfirmByName>
      )}
    </Container>
  )
}
