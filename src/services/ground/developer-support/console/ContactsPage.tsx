import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type ContactState, limits } from '../rules.ts'
import { AddContact } from './AddContact.tsx'
import { CodeDialog } from './CodeDialog.tsx'
import { api, type ContactView } from './contact-calls.ts'
import { ResendButton } from './ResendButton.tsx'

const tones: Readonly<Record<ContactState, Tone>> = {
  VERIFIED: 'good',
  WAITING: 'waiting',
  USED_UP: 'bad',
  EXPIRED: 'caution',
}

/** Where the team can be reached for support; each address is proven by a code that it gets. */
export default function ContactsPage() {
  const { t } = useTranslation('ground/developer-support')
  const [isAdding, setAdding] = useState(false)
  const [proving, setProving] = useState<string | null>(null)
  const [removing, setRemoving] = useState<string | null>(null)
  const table = useTableState({ id: 'support-contacts' })
  const result = useCall(api.listContacts, {}, { refetchInterval: 30_000 })
  const remove = useAction(api.removeContact, {
    onDone: ({ address }) => notify({ tone: 'success', text: t('remove.done', { address }) }),
  })
  const contacts = result.data?.list ?? []
  const proven = contacts.find(one => one.address === proving)
  const isFull = contacts.length >= limits.contacts
  const add = (variant: 'primary' | 'normal') => (
    <Can call={api.verifyContact}>
      <Button
        variant={variant}
        data-action="addContact"
        disabled={isFull}
        {...(isFull && { disabledReason: t('full', { count: limits.contacts }) })}
        onClick={() => setAdding(true)}
      >
        {t('add.open')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={t('text', { count: limits.contacts })}
        actions={<Link href={hrefOf('/support')}>{t('toSupport')}</Link>}
      />
      <DataTable<ContactView>
        title={t('all')}
        table={table}
        result={result}
        rowKey={row => row.address}
        rowName={row => row.address}
        empty={{ title: t('empty'), text: t('emptyText'), action: add('normal') }}
        actions={add('primary')}
        columns={[
          {
            id: 'address',
            header: t('address'),
            isName: true,
            minWidth: 220,
            cell: row => <span translate="no">{row.address}</span>,
          },
          {
            id: 'state',
            header: t('state'),
            width: 240,
            cell: row => <StatusBadge tone={tones[row.state]} text={t(`states.${row.state}`)} />,
          },
          {
            id: 'what',
            header: t('proof'),
            minWidth: 240,
            cell: row =>
              row.state === 'WAITING' ? (
                <>
                  <div>{t('code.tries', { count: row.triesLeft })}</div>
                  {t('code.until')} <When at={row.expiresAt} />
                </>
              ) : (
                <>
                  {row.verifiedAt === null ? t('codeSent') : t('provenOn')} <When at={row.verifiedAt ?? row.sentAt} />
                </>
              ),
          },
          {
            id: 'actions',
            header: t('actions'),
            minWidth: 260,
            cell: row => (
              <div className="lg-actions">
                {row.state === 'WAITING' && (
                  <Button
                    variant="inline-link"
                    data-action="enterCode"
                    ariaLabel={t('code.enterOf', { address: row.address })}
                    onClick={() => setProving(row.address)}
                  >
                    {t('code.enter')}
                  </Button>
                )}
                {(row.state === 'USED_UP' || row.state === 'EXPIRED') && (
                  <ResendButton isInline contact={row} onSent={() => setProving(row.address)} />
                )}
                <Button
                  variant="inline-link"
                  data-action="removeContact"
                  ariaLabel={t('remove.of', { address: row.address })}
                  onClick={() => setRemoving(row.address)}
                >
                  {t('remove.open')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {isAdding && (
        <AddContact
          onClose={() => setAdding(false)}
          onSent={address => {
            setAdding(false)
            setProving(address)
          }}
        />
      )}
      {proven && <CodeDialog key={proven.address} contact={proven} onClose={() => setProving(null)} />}
      {removing !== null && (
        <ConfirmByName
          title={t('remove.title')}
          name={removing}
          verb={t('remove.open')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { address: removing } }).then(() => setRemoving(null))}
          onCancel={() => setRemoving(null)}
        >
          {t('remove.text')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
