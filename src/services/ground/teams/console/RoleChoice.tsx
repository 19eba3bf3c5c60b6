import Checkbox from '@cloudscape-design/components/checkbox'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../../console/session.ts'
import { mayGrant, type TeamRole, teamRoles } from '../rules.ts'

interface RoleChoiceProps {
  chosen: readonly TeamRole[]
  onChange: (roles: TeamRole[]) => void
}

/** Roles to give; those above one's own rights are shown and closed, so that it is clear why. */
export function RoleChoice({ chosen, onChange }: RoleChoiceProps) {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const own = new Set(session.status === 'in' ? Object.keys(session.info.userPermission) : [])
  return (
    <SpaceBetween size="xs">
      {teamRoles
        .filter(role => role !== 'leader')
        .map(role => {
          const isAbove = !mayGrant(own, [role])
          return (
            <Checkbox
              key={role}
              checked={chosen.includes(role)}
              disabled={isAbove}
              description={isAbove ? t('roleChoice.above') : t(`roleTexts.${role}`)}
              onChange={({ detail }) =>
                onChange(teamRoles.filter(one => (one === role ? detail.checked : chosen.includes(one))))
              }
            >
              {t(`roles.${role}`)}
            </Checkbox>
          )
        })}
    </SpaceBetween>
  )
}
