import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Tiles from '@cloudscape-design/components/tiles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { type AudienceType, audienceTypes, limits } from '../../rules.ts'
import { audiencesApi } from '../targeting-calls.ts'

/** Names an audience and says how it gets its members; the rule or the file comes on its page. */
export function NewAudience({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('grow/targeting')
  const go = useGo()
  const [name, setName] = useState('')
  const [type, setType] = useState<AudienceType>('DYNAMIC')
  const create = useAction(audiencesApi.createAudience, {
    errors: 'form',
    onDone: ({ audienceId }) => go('/targeting/audiences/$audienceId', { audienceId }, { projectId }),
  })
  // Of nobody yet: a rule that lets everybody in would fill at once.
  const rule = { attr: 'email', op: 'endsWith', value: '@example.com' } as const
  const body = { projectId, name, ...(type === 'DYNAMIC' ? { rule, refreshEvery: '1h' as const } : {}) }
  return (
    <DialogBox
      title={t('audiences.add')}
      verb={t('audiences.add')}
      action="create-audience"
      isRunning={create.isRunning}
      canSubmit={name.trim() !== ''}
      refusal={create.error && errorText(create.error)}
      onSubmit={() => void create.run({ body })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input
          value={name}
          autoFocus
          nativeInputAttributes={{ maxLength: limits.nameLength }}
          onChange={({ detail }) => setName(detail.value)}
        />
      </FormField>
      <FormField label={t('audiences.type')}>
        <Tiles
          value={type}
          items={audienceTypes.map(value => ({
            value,
            label: t(`types.${value}`),
            description: t(`typeTexts.${value}`),
          }))}
          onChange={({ detail }) => setType(detail.value as AudienceType)}
        />
      </FormField>
    </DialogBox>
  )
}
