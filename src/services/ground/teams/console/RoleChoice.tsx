import Checkbox from '@cloudscape-design/components/checkbox'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { useRoles } from './use-roles.ts'

interface RoleChoiceProps {
  chosen: readonly string[]
  onChange: (roles: string[]) => void
}

/** Roles to give; those above one's own rights are shown and closed, so that it is clear why. */
export function RoleChoice({ chosen, onChange }: RoleChoiceProps) {
  const { t } = useTranslation('ground/teams')
  const { all, nameOf, canGive } = useRoles()
  const offered = all.filter(one => one.role !== 'leader')
  const textOf = (role: string, description: string, builtIn: boolean) =>
    builtIn ? t(`roleTexts.${role}`) : description || t('roleChoice.own')
  return (
    <SpaceBetween size="xs">
      {offered.map(one => {
        const isAbove = !canGive(one)
        return (
          <Checkbox
            key={one.role}
            checked={chosen.includes(one.role)}
            disabled={isAbove}
            description={isAbove ? t('roleChoice.above') : textOf(one.role, one.description, one.builtIn)}
            onChange={({ detail }) =>
              onChange(
                offered
                  .map(each => each.role)
                  .filter(role => (role === one.role ? detail.checked : chosen.includes(role))),
              )
            }
          >
            {nameOf(one.role)}
          </Checkbox>
        )
      })}
    </SpaceBetween>
  )
}
