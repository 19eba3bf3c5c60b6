import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type GroupView, groupsApi } from '../store-calls.ts'
import { GroupForm } from './GroupForm.tsx'
import type { SecretAddress } from './NewAddress.tsx'

interface GroupActionsProps {
  group: GroupView
  onAddress: (made: SecretAddress) => void
}

/** What may be done with a repository now. */
export function GroupActions({ group, onAddress }: GroupActionsProps) {
  const { t } = useTranslation('distribute/store')
  const [open, setOpen] = useState<GroupView['allowedActions'][number] | null>(null)
  const close = () => setOpen(null)
  const { repositoryId, revision, name } = group
  const rotate = useAction(groupsApi.rotateGroupToken, {
    onDone: ({ address, fingerprint }) => {
      close()
      onAddress({ name, address, fingerprint })
    },
  })
  const revoke = useAction(groupsApi.revokeGroup, {
    onDone: () => {
      notify({ tone: 'success', text: t('groups.revoked', { name }) })
      close()
    },
  })
  return (
    <>
      <span className="groups-actions">
        {group.allowedActions.map(action => (
          <Button
            key={action}
            variant="inline-link"
            data-action={action}
            ariaLabel={t(`groups.verbs.${action}Of`, { name })}
            onClick={() => setOpen(action)}
          >
            {t(`groups.verbs.${action}`)}
          </Button>
        ))}
      </span>
      {open === 'edit' && <GroupForm group={group} onClose={close} onAddress={onAddress} />}
      {open === 'rotate' && (
        <Modal
          visible
          header={t('groups.verbs.rotateOf', { name })}
          onDismiss={close}
          footer={
            <Box float="right">
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="link" onClick={close}>
                  {t('action.cancel')}
                </Button>
                <Button
                  variant="primary"
                  loading={rotate.isRunning}
                  onClick={() => void rotate.run({ body: { repositoryId, revision } })}
                >
                  {t('groups.verbs.rotate')}
                </Button>
              </SpaceBetween>
            </Box>
          }
        >
          <Alert type="warning">{t('groups.rotateText')}</Alert>
        </Modal>
      )}
      {open === 'revoke' && (
        <ConfirmByName
          title={t('groups.verbs.revokeOf', { name })}
          name={name}
          verb={t('groups.verbs.revoke')}
          isRunning={revoke.isRunning}
          onConfirm={() => void revoke.run({ body: { repositoryId, revision } })}
          onCancel={close}
        >
          {t('groups.revokeText')}
        </ConfirmByName>
      )}
    </>
  )
}
