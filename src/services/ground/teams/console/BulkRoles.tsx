import Alert from '@cloudscape-design/components/alert'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { RoleChoice } from './RoleChoice.tsx'

interface BulkRolesProps {
  count: number
  isRunning: boolean
  onSave: (roles: string[]) => void
  onClose: () => void
}

/** The roles that several members get in place of those they have. */
export function BulkRoles({ count, isRunning, onSave, onClose }: BulkRolesProps) {
  const { t } = useTranslation('ground/teams')
  const [roles, setRoles] = useState<string[]>([])
  return (
    <DialogBox
      title={t('bulk.roles', { count })}
      verb={t('bulk.give')}
      action="bulk-roles"
      size="large"
      isRunning={isRunning}
      canSubmit={roles.length > 0}
      onSubmit={() => onSave(roles)}
      onClose={onClose}
    >
      <Alert type="info">{t('bulk.rolesText', { count })}</Alert>
      <RoleChoice chosen={roles} onChange={setRoles} />
    </DialogBox>
  )
}
