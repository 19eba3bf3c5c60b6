import './teams.css'
import Icon from '@cloudscape-design/components/icon'
import { useTranslation } from 'react-i18next'
import { groupedByService } from './permission-groups.ts'

interface RoleMatrixProps {
  roles: readonly { role: string; permissions: readonly string[] }[]
  permissions: readonly { permission: string; dangerous: boolean }[]
  /** The reader's own roles, marked in their columns. */
  own: readonly string[]
  nameOf: (role: string) => string
}

export function RoleMatrix({ roles, permissions, own, nameOf }: RoleMatrixProps) {
  const { t } = useTranslation('ground/teams')
  const isDangerous = new Map(permissions.map(one => [one.permission, one.dangerous]))
  const style = (role: string) => (own.includes(role) ? 'teams-own' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
    <section className="teams-matrix-box" tabIndex={0} aria-label={t('rolesPage.title')}>
      <table className="teams-matrix">
        <thead>
          <tr>
            <td />
            {roles.map(({ role }) => (
              <th key={role} scope="col" className={style(role)}>
                {nameOf(role)}
                {own.includes(role) && <div className="teams-yours">{t('rolesPage.yours')}</div>}
              </th>
            ))}
          </tr>
        </thead>
        {groupedByService([...isDangerous.keys()]).map(([service, ofService]) => (
          <tbody key={service}>
            <tr>
              <th scope="rowgroup" colSpan={roles.length + 1}>
                {t(`permissionGroups.${service}`, { defaultValue: service })}
              </th>
            </tr>
            {ofService.map(permission => (
              <tr key={permission}>
                <th scope="row">
                  {t(`permissions.${permission.replace('.', '_')}`, { defaultValue: permission })}
                  {isDangerous.get(permission) && (
                    <>
                      {' '}
                      <Icon name="status-warning" variant="warning" ariaLabel={t('ownRoles.dangerous')} />
                    </>
                  )}
                </th>
                {roles.map(({ role, permissions: held }) => (
                  <td key={role} className={style(role)}>
                    {held.includes(permission) ? (
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
