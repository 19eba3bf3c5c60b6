import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { WholeRuleSet } from '../../rule-sets/contract.ts'
import { limits } from '../../rules.ts'
import { setsApi } from '../targeting-calls.ts'

/** Publishing and removing a rule set. What is edited is saved first: what goes into force is what is seen. */
export function SetActions({ set, hasEdits }: { set: WholeRuleSet; hasEdits: boolean }) {
  const { t } = useTranslation('grow/targeting')
  const go = useGo()
  const [open, setOpen] = useState<'publish' | 'delete' | null>(null)
  const [note, setNote] = useState('')
  const params = { ruleSetId: set.ruleSetId }
  const publish = useAction(setsApi.publishRuleSet, { errors: 'form', onDone: () => setOpen(null) })
  const remove = useAction(setsApi.deleteRuleSet, {
    onDone: () => go('/targeting', {}, { projectId: set.projectId }),
  })
  return (
    <>
      <Can call={setsApi.deleteRuleSet}>
        <Button data-action="delete" onClick={() => setOpen('delete')}>
          {t('delete')}
        </Button>
      </Can>
      <Can call={setsApi.publishRuleSet}>
        <Button
          variant="primary"
          data-action="publish"
          disabled={!set.isChanged || hasEdits}
          {...(hasEdits && { disabledReason: t('sets.saveFirst') })}
          onClick={() => setOpen('publish')}
        >
          {t('sets.publish')}
        </Button>
      </Can>
      {open === 'publish' && (
        <DialogBox
          title={t('sets.publishTitle', { name: set.name })}
          verb={t('sets.publish')}
          action="publish"
          isRunning={publish.isRunning}
          refusal={publish.error && errorText(publish.error)}
          onSubmit={() => void publish.run({ params, body: { note, revision: set.revision } })}
          onClose={() => setOpen(null)}
        >
          <p>{t('sets.publishText', { count: set.draft.length })}</p>
          <FormField label={t('sets.note')}>
            <Input
              value={note}
              nativeInputAttributes={{ maxLength: limits.textLength }}
              onChange={({ detail }) => setNote(detail.value)}
            />
          </FormField>
        </DialogBox>
      )}
      {open === 'delete' && (
        <ConfirmByName
          title={t('sets.deleteTitle', { name: set.name })}
          name={set.code}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params })}
          onCancel={() => setOpen(null)}
        >
          {t('sets.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
