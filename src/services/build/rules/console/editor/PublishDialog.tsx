import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { RulesView, ShadowView } from '../../contract.ts'
import { limits } from '../../rules.ts'
import { api, inForceNotice, type Where } from '../rules-calls.ts'

interface PublishDialogProps {
  where: Where
  rules: RulesView
  source: string
  onClose: () => void
}

/** Before rules are in force: what they would have said to the requests of the last day. */
export function PublishDialog({ where, rules, source, onClose }: PublishDialogProps) {
  const { t } = useTranslation('build/rules')
  const [note, setNote] = useState('')
  const shadow = useCall(api.shadowRules, { body: { ...where, source } }, { staleTime: 0, retry: false })
  const publish = useAction(api.publishRules, {
    errors: 'form',
    onDone: ({ version }) => {
      notify({ id: inForceNotice, tone: 'success', text: t('publish.done', { version }) })
      onClose()
    },
  })
  const { data } = shadow
  const refused = shadow.error ?? publish.error
  const isRisky = (data?.nowDenied.requests ?? 0) > 0
  return (
    <DialogBox
      title={t('publish.title')}
      size="large"
      verb={isRisky ? t('publish.anyway') : t('publish.go')}
      action="publishRules"
      isRunning={publish.isRunning}
      canSubmit={data !== undefined}
      refusal={refused ? errorText(refused) : null}
      onClose={onClose}
      onSubmit={() => {
        const body = { ...where, source, baseVersion: rules.published, acceptDenials: true }
        void publish.run({ body: { ...body, ...(note.trim() !== '' && { note: note.trim() }) } })
      }}
    >
      {!data && !shadow.error && <StatusIndicator type="loading">{t('shadow.running')}</StatusIndicator>}
      {data && <Shadow data={data} />}
      <FormField label={t('publish.note')} description={t('publish.noteText')}>
        <Input value={note} onChange={({ detail }) => setNote(detail.value.slice(0, limits.noteLength))} />
      </FormField>
    </DialogBox>
  )
}

function Shadow({ data }: { data: ShadowView }) {
  const { t } = useTranslation('build/rules')
  if (data.checked === 0) return <Alert type="info">{t('shadow.nothing')}</Alert>
  const isSame = data.nowDenied.requests === 0 && data.nowAllowed.requests === 0
  return (
    <SpaceBetween size="xs">
      {isSame && <Alert type="success">{t('shadow.same', { count: data.checked })}</Alert>}
      {data.nowDenied.requests > 0 && (
        <Alert type="warning" header={t('shadow.denied', { count: data.nowDenied.requests })}>
          <ShiftList list={data.nowDenied.list} label={t('shadow.deniedList')} />
        </Alert>
      )}
      {data.nowAllowed.requests > 0 && (
        <Alert type="info" header={t('shadow.allowed', { count: data.nowAllowed.requests })}>
          <ShiftList list={data.nowAllowed.list} label={t('shadow.allowedList')} />
        </Alert>
      )}
      <Box color="text-body-secondary" fontSize="body-s">
        {t('shadow.sample')}
      </Box>
    </SpaceBetween>
  )
}

function ShiftList({ list, label }: { list: ShadowView['nowDenied']['list']; label: string }) {
  const { t } = useTranslation('build/rules')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="rules-shift" aria-label={label} tabIndex={0}>
      <ul>
        {list.map(one => (
          <li key={one.decisionId}>
            <When at={one.at} show="relative" /> <code translate="no">{`${one.method} ${one.path}`}</code>{' '}
            {one.uid === null ? t('nobody') : <span translate="no">{one.uid}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
