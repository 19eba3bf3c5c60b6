import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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
    <Modal
      visible
      size="large"
      header={t('bulk.roles', { count })}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              {t('action.cancel', { ns: 'console' })}
            </Button>
            <Button
              variant="primary"
              data-action="bulk-roles"
              disabled={roles.length === 0}
              loading={isRunning}
              onClick={() => onSave(roles)}
            >
              {t('bulk.give')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="info">{t('bulk.rolesText', { count })}</Alert>
        <RoleChoice chosen={roles} onChange={setRoles} />
      </SpaceBetween>
    </Modal>
  )
}
