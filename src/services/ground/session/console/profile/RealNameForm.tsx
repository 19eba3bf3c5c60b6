import DatePicker from '@cloudscape-design/components/date-picker'
import CloudscapeFormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { Enterprise, Individual } from '../../real-names/contract.ts'
import { documentTypes } from '../../real-names/rules.ts'
import { realNameApi } from './profile-calls.ts'

type Kind = 'individual' | 'enterprise'

export function RealNameForm({ revision, onClose }: { revision: number; onClose: () => void }) {
  const { t } = useTranslation('ground/session')
  const [kind, setKind] = useState<Kind>('individual')
  const [ends, setEnds] = useState('')
  const documentEndsAt = Date.parse(`${ends}T23:59:59Z`)
  const more = { revision, ...(Number.isNaN(documentEndsAt) ? {} : { documentEndsAt }) }
  return (
    <Modal visible header={t('realName.submit')} onDismiss={onClose}>
      <SpaceBetween size="l">
        <SegmentedControl
          label={t('realName.kind')}
          selectedId={kind}
          options={(['individual', 'enterprise'] as const).map(id => ({ id, text: t(`realName.kinds.${id}`) }))}
          onChange={({ detail }) => setKind(detail.selectedId as Kind)}
        />
        <CloudscapeFormField label={t('realName.fields.documentEndsAt')} description={t('realName.endsHint')}>
          <DatePicker
            value={ends}
            placeholder="YYYY/MM/DD"
            isDateEnabled={date => date.getTime() > Date.now()}
            onChange={({ detail }) => setEnds(detail.value)}
          />
        </CloudscapeFormField>
        {kind === 'individual' ? (
          <IndividualForm more={more} onClose={onClose} />
        ) : (
          <EnterpriseForm more={more} onClose={onClose} />
        )}
      </SpaceBetween>
    </Modal>
  )
}

interface PartProps {
  more: { revision: number; documentEndsAt?: number }
  onClose: () => void
}

function useSubmit(onClose: () => void) {
  const { t } = useTranslation('ground/session')
  return useAction(realNameApi.submitRealName, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('realName.submitted') })
      onClose()
    },
  })
}

function IndividualForm({ more, onClose }: PartProps) {
  const { t } = useTranslation('ground/session')
  const submit = useSubmit(onClose)
  const defaults = { fullName: '', country: '', documentType: 'idCard' as const, documentNumber: '' }
  const form = useContractForm(Individual, defaults)
  return (
    <ContractFormBox
      of={form}
      action={submit}
      submit={individual => submit.run({ body: { kind: 'individual', individual, ...more } })}
      submitLabel={t('realName.go')}
      onCancel={onClose}
    >
      <TextField of={form} name="fullName" label={t('realName.fields.fullName')} />
      <TextField of={form} name="country" label={t('realName.fields.country')} hint={t('realName.countryHint')} />
      <SelectField
        of={form}
        name="documentType"
        label={t('realName.fields.documentType')}
        options={documentTypes.map(one => ({ value: one, label: t(`realName.documents.${one}`) }))}
      />
      <TextField of={form} name="documentNumber" label={t('realName.fields.documentNumber')} />
    </ContractFormBox>
  )
}

function EnterpriseForm({ more, onClose }: PartProps) {
  const { t } = useTranslation('ground/session')
  const submit = useSubmit(onClose)
  const defaults = { companyName: '', country: '', registrationNumber: '', representative: '', address: '' }
  const form = useContractForm(Enterprise, defaults)
  return (
    <ContractFormBox
      of={form}
      action={submit}
      submit={enterprise => submit.run({ body: { kind: 'enterprise', enterprise, ...more } })}
      submitLabel={t('realName.go')}
      onCancel={onClose}
    >
      <TextField of={form} name="companyName" label={t('realName.fields.companyName')} />
      <TextField of={form} name="country" label={t('realName.fields.country')} hint={t('realName.countryHint')} />
      <TextField of={form} name="registrationNumber" label={t('realName.fields.registrationNumber')} />
      <TextField of={form} name="representative" label={t('realName.fields.representative')} />
      <TextField of={form} name="address" label={t('realName.fields.address')} />
    </ContractFormBox>
  )
}
