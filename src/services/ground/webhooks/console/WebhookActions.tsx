import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { EditWebhook } from './EditWebhook.tsx'
import { ReplayFailed } from './ReplayFailed.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { api, type EndpointView } from './webhook-calls.ts'

type Open = 'edit' | 'rotate' | 'replay' | 'delete' | null

/** What may be done with a webhook now; the states come from the server. */
export function WebhookActions({ endpoint }: { endpoint: EndpointView }) {
  const { t } = useTranslation('ground/webhooks')
  const go = useGo()
  const [open, setOpen] = useState<Open>(null)
  const { endpointId, name, revision, allowedActions, state } = endpoint
  const params = { endpointId }
  const close = () => setOpen(null)
  const test = useAction(api.testEndpoint, {
    onDone: () => notify({ tone: 'success', text: t('actions.tested') }),
  })
  const enable = useAction(api.enableEndpoint)
  const disable = useAction(api.disableEndpoint)
  const remove = useAction(api.deleteEndpoint, {
    onDone: () => {
      notify({ tone: 'success', text: t('actions.deleted', { name }) })
      go('/webhooks')
    },
  })
  const isEnabled = state === 'ENABLED'
  return (
    <Can call={api.updateEndpoint}>
      <ButtonDropdown
        data-action="more"
        items={[
          { id: 'edit', text: t('form.edit') },
          { id: 'rotate', text: t('secret.rotate') },
          { id: 'replay', text: t('replay.title'), disabled: !isEnabled, disabledReason: t('replay.disabled') },
          { id: 'delete', text: t('actions.delete') },
        ]}
        onItemClick={({ detail }) => setOpen(detail.id as Open)}
      >
        {t('actions.more')}
      </ButtonDropdown>
      {allowedActions.includes('disable') && (
        <Button
          data-action="disable"
          loading={disable.isRunning}
          onClick={() => void disable.run({ params, body: { revision } })}
        >
          {t('actions.disable')}
        </Button>
      )}
      {allowedActions.includes('enable') && (
        <Button
          variant="primary"
          data-action="enable"
          loading={enable.isRunning}
          onClick={() => void enable.run({ params, body: { revision } })}
        >
          {t('actions.enable')}
        </Button>
      )}
      {isEnabled && (
        <Button
          variant="primary"
          data-action="test"
          loading={test.isRunning}
          onClick={() => void test.run({ params, body: {} })}
        >
          {t('actions.test')}
        </Button>
      )}
      {open === 'edit' && <EditWebhook endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {open === 'replay' && <ReplayFailed endpoint={endpoint} onClose={close} />}
      {open === 'delete' && (
        <ConfirmByName
          title={t('actions.deleteTitle', { name })}
          name={name}
          verb={t('actions.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params })}
          onCancel={close}
        >
          {t('actions.deleteText')}
        </ConfirmByName>
      )}
    </Can>
  )
}
