import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { claims } from '../../claims/contract.ts'
import { claimMethods } from '../../claims/rules.ts'
import { appCalls, type ClaimView, claimCalls } from '../package-calls.ts'
import { NameCheck } from './NameCheck.tsx'

interface NewClaimProps {
  onClose: () => void
  onMade: (one: ClaimView) => void
}

export function NewClaim({ onClose, onMade }: NewClaimProps) {
  const { t } = useTranslation('distribute/packages')
  const list = useCall(appCalls.listApps, { query: { pageSize: 100 } })
  const form = useContractForm(claims.calls.createClaim.body, {
    appId: '',
    packageName: '',
    method: 'SIGNATURE',
    evidence: '',
    domain: '',
  })
  const make = useAction(claimCalls.createClaim, {
    errors: 'form',
    onDone: one => {
      onMade(one)
      onClose()
    },
  })
  const apps = list.data?.list ?? []
  const [appId, packageName, method] = form.form.watch(['appId', 'packageName', 'method'])
  return (
    <Modal visible header={t('claims.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={make}
        submit={values => make.run({ body: values })}
        submitLabel={t('claims.make')}
        onCancel={onClose}
      >
        <TextField of={form} name="packageName" label={t('facts.packageName')} hint={t('claims.nameHint')} />
        <SelectField
          of={form}
          name="appId"
          label={t('claims.app')}
          hint={t('claims.appHint')}
          placeholder={t('claims.chooseApp')}
          options={apps.map(app => ({ value: app.appId, label: app.name, description: app.packageName ?? '' }))}
        />
        <NameCheck
          key={`${appId} ${packageName}`}
          packageType={apps.find(app => app.appId === appId)?.packageType ?? ''}
          packageName={packageName}
        />
        <SelectField
          of={form}
          name="method"
          label={t('claims.method')}
          options={claimMethods.map(method => ({
            value: method,
            label: t(`claims.methods.${method}`),
            description: t(`claims.methodTexts.${method}`),
          }))}
        />
        {method === 'DOMAIN' && (
          <TextField of={form} name="domain" label={t('claims.domain')} hint={t('claims.domainHint')} />
        )}
        <TextAreaField
          of={form}
          name="evidence"
          rows={3}
          label={t('claims.evidence')}
          hint={t('claims.evidenceHint')}
        />
      </ContractFormBox>
    </Modal>
  )
}
