import ExpandableSection from '@cloudscape-design/components/expandable-section'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { certTypeNumbers, certTypes, limits } from '../../rules.ts'
import { certsApi } from '../harmony-calls.ts'

/** The commands that make a key and its request with openssl; the key stays where they run. */
const commands = `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -out own.key
openssl req -new -key own.key -subj "/CN=own" -out own.csr`

/** Asks for a certificate: a name, what it is for, and the signing request. */
export function NewCert({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [certName, setName] = useState('')
  const [certType, setType] = useState<number>(certTypes.debug)
  const [csr, setCsr] = useState('')
  const make = useAction(certsApi.createCert, { errors: 'form', onDone: onClose })
  const options = certTypeNumbers.map(type => ({
    value: String(type),
    label: t(`certTypes.${type}`),
    description: t(`certTypeTexts.${type}`),
  }))
  return (
    <DialogBox
      title={t('certs.new')}
      verb={t('certs.issue')}
      action="createCert"
      isRunning={make.isRunning}
      canSubmit={certName.trim() !== '' && csr.trim() !== ''}
      refusal={make.error && errorText(make.error)}
      onSubmit={() => void make.run({ body: { certName: certName.trim(), certType, csr } })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={certName} onChange={({ detail }) => setName(detail.value.slice(0, limits.certNameLength))} />
      </FormField>
      <FormField label={t('type')}>
        <Select
          selectedOption={options.find(option => option.value === String(certType)) ?? null}
          options={options}
          triggerVariant="option"
          expandToViewport
          onChange={({ detail }) => setType(Number(detail.selectedOption.value))}
        />
      </FormField>
      <FormField label={t('certs.csr')} constraintText={t('certs.csrHint')}>
        <Textarea
          value={csr}
          rows={5}
          spellcheck={false}
          placeholder="-----BEGIN CERTIFICATE REQUEST-----"
          onChange={({ detail }) => setCsr(detail.value.slice(0, limits.csrLength))}
        />
      </FormField>
      <FileDrop
        label={t('certs.csrFile')}
        accept=".csr,.pem,application/pkcs10"
        onFiles={([file]) => void file?.slice(0, limits.csrLength).text().then(setCsr)}
      />
      <ExpandableSection headerText={t('certs.how')}>
        <p className="lg-soft">{t('certs.howText')}</p>
        <code className="harmony-code" translate="no">
          {commands}
        </code>
      </ExpandableSection>
    </DialogBox>
  )
}
