import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Link from '@cloudscape-design/components/link'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { everywhere } from '../../rules.ts'
import { documentsApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'

/** Asks of which kind and for which country the next version is. */
export function NewDocument({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const go = useGo()
  const kinds = useCall(documentsApi.listKinds, {})
  const [chosen, setChosen] = useState('')
  const [country, setCountry] = useState<string>(everywhere)
  const create = useAction(documentsApi.createDocument, {
    errors: 'form',
    onDone: ({ documentId }) => go('/operate/agreements/$documentId', { documentId }),
  })
  const options = (kinds.data?.list ?? []).map(kind => ({
    value: `${kind.agrType}/${kind.branchId}`,
    label: kind.name[words.language],
    description: t(`signers.${kind.signer}`),
  }))
  const countries = words.countries()
  const kind = kinds.data?.list.find(one => `${one.agrType}/${one.branchId}` === chosen)
  return (
    <DialogBox
      title={t('document.new')}
      verb={t('action.create')}
      action="createDocument"
      isRunning={create.isRunning}
      canSubmit={kind !== undefined}
      refusal={create.error ? errorText(create.error) : null}
      onSubmit={() => kind && void create.run({ body: { agrType: kind.agrType, branchId: kind.branchId, country } })}
      onClose={onClose}
    >
      {kinds.data?.list.length === 0 && (
        <Alert type="info">
          {t('document.noKinds')} <Link href={hrefOf('/operate/agreement-kinds')}>{t('kind.title')}</Link>
        </Alert>
      )}
      <FormField label={t('document.kind')}>
        <Select
          selectedOption={options.find(one => one.value === chosen) ?? null}
          options={options}
          placeholder={t('kind.choose')}
          onChange={({ detail }) => setChosen(detail.selectedOption.value ?? '')}
        />
      </FormField>
      <FormField label={t('country.label')} constraintText={t('country.hint')}>
        <Select
          selectedOption={countries.find(one => one.value === country) ?? null}
          options={countries}
          filteringType="auto"
          onChange={({ detail }) => setCountry(detail.selectedOption.value ?? everywhere)}
        />
      </FormField>
    </DialogBox>
  )
}
