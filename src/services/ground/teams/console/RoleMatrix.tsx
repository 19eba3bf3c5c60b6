import './teams.css'
import Icon from '@cloudscape-design/components/icon'
import { useTranslation } from 'react-i18next'
import type { TeamRole } from '../rules.ts'
import { groupedByService } from './permission-groups.ts'

interface RoleMatrixProps {
  roles: readonly TeamRole[]
  permissions: readonly { permission: string; roles: readonly TeamRole[] }[]
  /** The reader's own roles, marked in their columns. */
  own: readonly string[]
}

export function RoleMatrix({ roles, permissions, own }: RoleMatrixProps) {
  const { t } = useTranslation('ground/teams')
  const holders = new Map(permissions.map(one => [one.permission, one.roles]))
  const style = (role: TeamRole) => (own.includes(role) ? 'teams-own' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
    <section className="teams-matrix-box" tabIndex={0} aria-label={t('rolesPage.title')}>
      <table className="teams-matrix">
        <thead>
          <tr>
            <td />
            {roles.map(role => (
              <th key={role} scope="col" className={style(role)}>
                {t(`roles.${role}`)}
                {own.includes(role) && <div className="teams-yours">{t('rolesPage.yours')}</div>}
              </th>
            ))}
          </tr>
        </thead>
        {groupedByService([...holders.keys()]).map(([service, ofService]) => (
          <tbody key={service}>
            <tr>
              <th scope="rowgroup" colSpan={roles.length + 1}>
                {t(`permissionGroups.${service}`)}
              </th>
            </tr>
            {ofService.map(permission => (
              <tr key={permission}>
                <th scope="row">{t(`permissions.${permission.replace('.', '_')}`)}</th>
                {roles.map(role => (
                  <td key={role} className={style(role)}>
                    {holders.get(permission)?.includes(role) ? (
                      <Icon name="check" variant="success" ariaLabel={t('rolesPage.yes')} />
                    ) : (
                      <span className="lg-unseen">{t('rolesPage.no')}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}
