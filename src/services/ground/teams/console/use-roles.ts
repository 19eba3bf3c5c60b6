import { useTranslation } from 'react-i18next'
import { useSession } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { aboveRights } from '../rules.ts'
import { type RoleView, roleApi } from './team-calls.ts'

/** The team's roles, what each is called here, and which of them the reader may give. */
export function useRoles() {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const result = useCall(roleApi.listRoles, {})
  const all: readonly RoleView[] = result.data?.list ?? []
  const names = new Map(all.map(one => [one.role, one.name]))
  const own = new Set(session.status === 'in' ? Object.keys(session.info.userPermission) : [])
  const nameOf = (role: string): string => names.get(role) ?? t(`roles.${role}`, { defaultValue: role })
  return {
    result,
    all,
    nameOf,
    canGive: (role: RoleView) => aboveRights(own, role.permissions).length === 0,
    held: session.status === 'in' ? session.info.userRoles : [],
    rights: own,
  }
}
