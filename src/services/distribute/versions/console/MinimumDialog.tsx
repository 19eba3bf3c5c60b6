import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { isReachableMinimum, limits } from '../rules.ts'
import { api, type VersionView } from './version-calls.ts'

const choices = ['nobody', 'all', 'below'] as const
type Choice = (typeof choices)[number]

const choiceOf = ({ minVersionCode, versionCode }: VersionView): Choice =>
  minVersionCode === null ? 'nobody' : minVersionCode === versionCode ? 'all' : 'below'

/** Below which version devices must update, for a version that is out. */
export function MinimumDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, versionCode, revision } = version
  const [choice, setChoice] = useState<Choice>(choiceOf(version))
  const [below, setBelow] = useState(version.minVersionCode ?? '')
  const [reason, setReason] = useState('')
  const act = useAction(api.setMinimumVersion, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('done.setMinimum') })
      onClose()
    },
  })
  const minVersionCode = { nobody: null, all: versionCode, below }[choice]
  const isRight =
    minVersionCode === null ||
    (/^[1-9][0-9]{0,18}$/.test(minVersionCode) && isReachableMinimum(minVersionCode, versionCode))
  return (
    <DialogBox
      title={t('ask.setMinimum')}
      action="setMinimum"
      isRunning={act.isRunning}
      canSubmit={isRight && reason.trim().length >= limits.minimumReasonMin}
      refusal={act.error && errorText(act.error)}
      onSubmit={() => void act.run({ body: { versionId, minVersionCode, reason: reason.trim(), revision } })}
      onClose={onClose}
    >
      <FormField label={t('minimum.who')} description={t('asks.setMinimum')}>
        <RadioGroup
          value={choice}
          items={choices.map(value => ({ value, label: t(`minimum.choices.${value}`, { code: versionCode }) }))}
          onChange={({ detail }) => setChoice(detail.value as Choice)}
        />
      </FormField>
      {choice === 'below' && (
        <FormField
          label={t('minimum.code')}
          errorText={below !== '' && !isRight && t('minimum.tooHigh', { code: versionCode })}
        >
          <Input
            value={below}
            inputMode="numeric"
            onChange={({ detail }) => setBelow(detail.value.replace(/[^0-9]/g, '').slice(0, 19))}
          />
        </FormField>
      )}
      <FormField label={t('minimum.reason')} constraintText={t('minimum.reasonHint', { min: limits.minimumReasonMin })}>
        <Textarea
          value={reason}
          rows={3}
          onChange={({ detail }) => setReason(detail.value.slice(0, limits.minimumReasonMax))}
        />
      </FormField>
    </DialogBox>
  )
}
