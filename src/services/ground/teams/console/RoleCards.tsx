import './teams.css'
import Box from '@cloudscape-design/components/box'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { groupedByService } from './permission-groups.ts'

interface RoleCardsProps {
  roles: readonly { role: string; builtIn: boolean; description: string; permissions: readonly string[] }[]
  own: readonly string[]
  nameOf: (role: string) => string
}

/** The same as the matrix for a small screen: open a role and read what it may do. */
export function RoleCards({ roles, own, nameOf }: RoleCardsProps) {
  const { t } = useTranslation('ground/teams')
  return (
    <SpaceBetween size="s">
      {roles.map(({ role, builtIn, description, permissions }) => (
        <ExpandableSection
          key={role}
          defaultExpanded={own.includes(role)}
          headerText={own.includes(role) ? `${nameOf(role)} · ${t('rolesPage.yours')}` : nameOf(role)}
          headerDescription={builtIn ? t(`roleTexts.${role}`) : description}
        >
          {groupedByService(permissions).map(([service, ofService]) => (
            <div key={service}>
              <Box variant="awsui-key-label">{t(`permissionGroups.${service}`, { defaultValue: service })}</Box>
              <ul className="teams-rights">
                {ofService.map(permission => (
                  <li key={permission}>
                    {t(`permissions.${permission.replace('.', '_')}`, { defaultValue: permission })}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </ExpandableSection>
      ))}
    </SpaceBetween>
  )
}
