import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { api, type TestView } from './material-calls.ts'

/** What can be done with a test now. */
export function TestActions({ test }: { test: TestView }) {
  const { t } = useTranslation('distribute/material')
  const [open, setOpen] = useState<'apply' | 'delete' | null>(null)
  const { testId, revision, allowedActions } = test
  const body = { testId, revision }
  const submit = useAction(api.submitTest)
  const cancel = useAction(api.cancelTest)
  const start = useAction(api.startTest)
  const stop = useAction(api.stopTest)
  const sync = useAction(api.syncTest)
  const remove = useAction(api.deleteTest, { onDone: () => setOpen(null) })
  const simple = { submit, cancel, start, stop } as const
  const names = (Object.keys(simple) as (keyof typeof simple)[]).filter(name => allowedActions.includes(name))
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {names.map(name => (
        <Button
          key={name}
          data-action={name}
          variant={name === 'submit' || name === 'start' ? 'primary' : 'normal'}
          loading={simple[name].isRunning}
          onClick={() => void simple[name].run({ body })}
        >
          {t(`action.${name}`)}
        </Button>
      ))}
      {test.state === 'RUNNING' && allowedActions.includes('stop') && (
        <Button data-action="sync" loading={sync.isRunning} onClick={() => void sync.run({ body: { testId } })}>
          {t('action.sync')}
        </Button>
      )}
      {allowedActions.includes('apply') && test.variants.length > 0 && (
        <Button data-action="apply" variant="primary" onClick={() => setOpen('apply')}>
          {t('action.apply')}
        </Button>
      )}
      {allowedActions.includes('delete') && (
        <Button data-action="delete" onClick={() => setOpen('delete')}>
          {t('action.delete')}
        </Button>
      )}
      {open === 'apply' && <ApplyDialog test={test} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmByName
          title={t('delete.title')}
          name={test.name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { testId } })}
          onCancel={() => setOpen(null)}
        >
          {t('delete.text')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}

function ApplyDialog({ test, onClose }: { test: TestView; onClose: () => void }) {
  const { t } = useTranslation('distribute/material')
  const winner = test.result?.arms.find(arm => arm.verdict === 'WINNER')?.variantId
  const [variantId, setVariantId] = useState(winner ?? test.variants[0]?.variantId ?? '')
  const apply = useAction(api.applyVariant, { errors: 'form', onDone: onClose })
  const options = test.variants.map(one => ({ value: one.variantId, label: one.name }))
  const { testId, revision } = test
  return (
    <DialogBox
      title={t('apply.title')}
      verb={t('action.apply')}
      action="apply"
      isRunning={apply.isRunning}
      canSubmit={variantId !== ''}
      refusal={apply.error && errorText(apply.error)}
      onSubmit={() => void apply.run({ body: { testId, variantId, revision } })}
      onClose={onClose}
    >
      <FormField stretch label={t('result.arm')} description={t('apply.text')}>
        <Select
          selectedOption={options.find(one => one.value === variantId) ?? null}
          options={options}
          onChange={({ detail }) => setVariantId(detail.selectedOption.value ?? '')}
        />
      </FormField>
    </DialogBox>
  )
}
