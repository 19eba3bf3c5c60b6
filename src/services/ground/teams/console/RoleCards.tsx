import './teams.css'
import Box from '@cloudscape-design/components/box'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { TeamRole } from '../rules.ts'
import { groupedByService } from './permission-groups.ts'

interface RoleCardsProps {
  roles: readonly { role: TeamRole; permissions: readonly string[] }[]
  own: readonly string[]
}

/** The same as the matrix for a small screen: open a role and read what it may do. */
export function RoleCards({ roles, own }: RoleCardsProps) {
  const { t } = useTranslation('ground/teams')
  return (
    <SpaceBetween size="s">
      {roles.map(({ role, permissions }) => (
        <ExpandableSection
          key={role}
          defaultExpanded={own.includes(role)}
          headerText={own.includes(role) ? `${t(`roles.${role}`)} · ${t('rolesPage.yours')}` : t(`roles.${role}`)}
          headerDescription={t(`roleTexts.${role}`)}
        >
          {groupedByService(permissions).map(([service, ofService]) => (
            <div key={service}>
              <Box variant="awsui-key-label">{t(`permissionGroups.${service}`)}</Box>
              <ul className="teams-rights">
                {ofService.map(permission => (
                  <li key={permission}>{t(`permissions.${permission.replace('.', '_')}`)}</li>
                ))}
              </ul>
            </div>
          ))}
        </ExpandableSection>
      ))}
    </SpaceBetween>
  )
}
