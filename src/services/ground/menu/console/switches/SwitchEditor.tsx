import '../menu.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Toggle from '@cloudscape-design/components/toggle'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { menuOperations } from '../../operations/contract.ts'
import { isForAll } from '../../rules.ts'
import { operations, type SwitchView } from '../menu-calls.ts'
import { ForWhom } from './ForWhom.tsx'
import { WhoGetsIt } from './WhoGetsIt.tsx'

const everybody = { percent: 100, zones: [], groups: [] }

/** Makes a switch or changes one; beside it stands who would get the feature with what is chosen now. */
export function SwitchEditor({ row }: { row: SwitchView | null }) {
  const { t } = useTranslation('ground/menu')
  const go = useGo()
  const form = useContractForm(menuOperations.calls.setSwitch.body, {
    feature: row?.feature ?? '',
    isOn: row?.isOn ?? false,
    percent: row?.percent ?? 0,
    zones: row?.zones ?? [],
    groups: row?.groups ?? [],
    note: row?.note ?? '',
    revision: row?.revision ?? 0,
  })
  const [saved, setSaved] = useState<SwitchView | null>(null)
  const act = useAction(operations.setSwitch, {
    errors: 'form',
    onDone: answer => {
      notify({ tone: 'success', text: t('switches.saved', { name: answer.feature }) })
      setSaved(answer)
    },
  })
  // Only after the guard has heard of it.
  useEffect(() => {
    if (saved) go('/operate/switches/$feature', { feature: saved.feature })
  }, [saved, go])
  const { watch, setValue, formState } = form.form
  const values = watch()
  const isSame = isForAll(values.feature)
  const setting = { ...values, percent: Number(values.percent) || 0, groups: values.groups ?? [] }

  return (
    <div className="menu-switch">
      <UnsavedGuard isDirty={formState.isDirty && !saved} what={values.feature || t('switches.new')} />
      <Container header={<Header variant="h2">{t('switches.settings')}</Header>}>
        <ContractFormBox
          of={form}
          action={act}
          submit={body => act.run({ body: { ...body, ...(isSame && everybody), note: body.note ?? '' } })}
          submitLabel={t('action.save')}
        >
          {row === null && (
            <TextField of={form} name="feature" label={t('switches.feature')} hint={t('switches.featureHint')} />
          )}
          <Toggle
            checked={values.isOn}
            description={isSame && t('switches.forAll')}
            onChange={({ detail }) => setValue('isOn', detail.checked, { shouldDirty: true, shouldValidate: true })}
          >
            {t('switches.isOn')}
          </Toggle>
          {!isSame && <ForWhom of={form} />}
          <TextField of={form} name="note" label={t('switches.note')} hint={t('switches.noteHint')} />
        </ContractFormBox>
      </Container>
      {!isSame && <WhoGetsIt setting={setting} seed={row?.seed ?? null} />}
    </div>
  )
}
