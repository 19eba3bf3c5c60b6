import Checkbox from '@cloudscape-design/components/checkbox'
import { useTranslation } from 'react-i18next'
import type { ObjectType } from '../../schema/contract.ts'
import { holds, isLocked, type Right, type Role, rights, roles } from '../../schema/rules.ts'

/** Who may read, write and delete; locked where a field is encrypted by the app. */
export function RightsMatrix({
  type,
  onChange,
}: {
  type: ObjectType
  onChange: (permissions: ObjectType['permissions']) => void
}) {
  const { t } = useTranslation('build/cloud-db')
  const set = (role: Role, right: Right, isHeld: boolean) =>
    onChange(
      roles.map(one => ({
        role: one,
        rights: rights.filter(other => (one === role && other === right ? isHeld : holds(type, one, other))),
      })),
    )
  return (
    <table className="cdb-matrix">
      <thead>
        <tr>
          <th scope="col">{t('types.role')}</th>
          {rights.map(right => (
            <th scope="col" key={right}>
              {t(`rights.${right}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roles.map(role => (
          <tr key={role}>
            <th scope="row">{t(`roles.${role}`)}</th>
            {rights.map(right => (
              <td key={right}>
                <Checkbox
                  ariaLabel={`${t(`roles.${role}`)}: ${t(`rights.${right}`)}`}
                  checked={holds(type, role, right)}
                  disabled={isLocked(type, role) && !holds(type, role, right)}
                  onChange={({ detail }) => set(role, right, detail.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
