import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { AskGrant } from './AskGrant.tsx'
import { ClientWizard } from './ClientWizard.tsx'
import { type ClientView, callsOf, type Whose } from './client-calls.ts'
import { RotateClient } from './RotateClient.tsx'

type Open = 'edit' | 'rotate' | 'ask' | 'delete' | null

/** What may be done with a client now; the server says what. */
export function ClientActions({ whose, client }: { whose: Whose; client: ClientView }) {
  const { t } = useTranslation('ground/api-clients')
  const go = useGo()
  const [open, setOpen] = useState<Open>(null)
  const { clientId, name, revision, allowedActions } = client
  const close = () => setOpen(null)
  const update = useAction(callsOf[whose].update)
  const remove = useAction(callsOf[whose].remove, {
    onDone: () => {
      notify({ tone: 'success', text: t('actions.deleted', { name }) })
      go('/api-clients')
    },
  })
  const act = (action: 'enable' | 'disable' | 'endFormer' | 'takeOver') =>
    void update.run({ body: { clientId, revision, action } })
  if (allowedActions.length === 0) return null
  const offered = (['edit', 'rotate', 'endFormer', 'delete'] as const).filter(one => allowedActions.includes(one))
  return (
    <>
      <ButtonDropdown
        data-action="more"
        items={[
          ...offered.slice(0, -1).map(id => ({ id, text: t(`actions.${id}`) })),
          ...(whose === 'team' ? [{ id: 'ask', text: t('actions.ask') }] : []),
          { id: 'delete', text: t('actions.delete') },
        ]}
        onItemClick={({ detail }) => (detail.id === 'endFormer' ? act('endFormer') : setOpen(detail.id as Open))}
      >
        {t('actions.more')}
      </ButtonDropdown>
      {(['disable', 'enable', 'takeOver'] as const)
        .filter(action => allowedActions.includes(action))
        .map(action => (
          <Button
            key={action}
            data-action={action}
            variant={action === 'disable' ? 'normal' : 'primary'}
            loading={update.isRunning}
            onClick={() => act(action)}
          >
            {t(`actions.${action}`)}
          </Button>
        ))}
      {open === 'edit' && <ClientWizard whose={whose} client={client} onClose={close} />}
      {open === 'rotate' && <RotateClient whose={whose} client={client} onClose={close} />}
      {open === 'ask' && <AskGrant client={client} onClose={close} />}
      {open === 'delete' && (
        <ConfirmByName
          title={t('actions.deleteTitle', { name })}
          name={name}
          verb={t('actions.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { clientId } })}
          onCancel={close}
        >
          {t('actions.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
