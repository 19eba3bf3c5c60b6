import { useTranslation } from 'react-i18next'

/** Permissions in words; the table of them and their words are those of teams. */
export function useRightWords() {
  const { t: ofTeams } = useTranslation('ground/teams')
  return {
    right: (permission: string) => ofTeams(`permissions.${permission.replace('.', '_')}`, { defaultValue: permission }),
    group: (group: string) => ofTeams(`permissionGroups.${group}`, { defaultValue: group }),
  }
}
