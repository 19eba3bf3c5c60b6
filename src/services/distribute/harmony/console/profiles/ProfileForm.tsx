import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ProfileDetail } from '../../profiles/contract.ts'
import { hasDevices, isCertFor, limits, profileTypeNumbers, profileTypes } from '../../rules.ts'
import { appsApi, certsApi, profilesApi } from '../harmony-calls.ts'
import { DevicesField } from './DevicesField.tsx'

/** A new profile, or another name, certificate and devices for one that is issued anew. */
export function ProfileForm({ profile, onClose }: { profile: ProfileDetail | null; onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [provisionName, setName] = useState(profile?.provisionName ?? '')
  const [provisionType, setType] = useState<number>(profile?.provisionType ?? profileTypes.debug)
  const [appId, setApp] = useState(profile?.appId ?? '')
  const [certId, setCert] = useState(profile?.certState === 'VALID' ? profile.certId : '')
  const [deviceIdList, setDevices] = useState<readonly string[]>(profile?.deviceIdList ?? [])
  const isNew = profile === null
  const apps = useCall(appsApi.listApps, { query: { packageType: 'HARMONY', pageSize: 100 } }, { enabled: isNew })
  const services = useCall(
    appsApi.listApps,
    { query: { packageType: 'ATOMIC_SERVICE', pageSize: 100 } },
    { enabled: isNew },
  )
  const certs = useCall(certsApi.listCerts, { body: { state: 'VALID', pageSize: 100 } })
  const create = useAction(profilesApi.createProfile, { errors: 'form', onDone: onClose })
  const change = useAction(profilesApi.updateProfile, { errors: 'form', onDone: onClose })
  const act = isNew ? create : change
  const needsDevices = hasDevices(provisionType)
  const types = profileTypeNumbers.map(type => ({
    value: String(type),
    label: t(`profileTypes.${type}`),
    description: t(`profileTypeTexts.${type}`),
  }))
  const appOptions = [...(apps.data?.list ?? []), ...(services.data?.list ?? [])]
    .filter(app => app.packageName !== null)
    .map(app => ({ value: app.appId, label: app.name, description: app.packageName ?? '' }))
  const certOptions = (certs.data?.list ?? [])
    .filter(cert => isCertFor(cert.certType, provisionType))
    .map(cert => ({ value: cert.certId, label: cert.certName, description: t(`certTypes.${cert.certType}`) }))
  const devices = needsDevices ? { deviceIdList: [...deviceIdList] } : {}
  const name = provisionName.trim()
  const submit = () =>
    isNew
      ? create.run({ body: { provisionName: name, provisionType, appId, certId, ...devices } })
      : change.run({
          body: { id: profile.id, provisionName: name, certId, revision: profile.revision, ...devices },
        })
  return (
    <DialogBox
      title={isNew ? t('profiles.new') : t('profiles.editTitle', { name: profile.provisionName })}
      verb={isNew ? t('profiles.issue') : t('profiles.reissue')}
      action={isNew ? 'createProfile' : 'edit'}
      size="large"
      isRunning={act.isRunning}
      canSubmit={name !== '' && appId !== '' && certId !== '' && (!needsDevices || deviceIdList.length > 0)}
      refusal={act.error && errorText(act.error)}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input
          value={provisionName}
          onChange={({ detail }) => setName(detail.value.slice(0, limits.profileNameLength))}
        />
      </FormField>
      {isNew && (
        <>
          <FormField label={t('type')}>
            <Select
              selectedOption={types.find(option => option.value === String(provisionType)) ?? null}
              options={types}
              triggerVariant="option"
              expandToViewport
              onChange={({ detail }) => {
                setType(Number(detail.selectedOption.value))
                setCert('')
              }}
            />
          </FormField>
          <FormField label={t('profiles.app')} constraintText={t('profiles.appHint')}>
            <Select
              selectedOption={appOptions.find(option => option.value === appId) ?? null}
              options={appOptions}
              placeholder={t('choose')}
              empty={t('profiles.noApps')}
              statusType={apps.isPending ? 'loading' : 'finished'}
              filteringType={appOptions.length > 10 ? 'auto' : 'none'}
              expandToViewport
              onChange={({ detail }) => setApp(detail.selectedOption.value ?? '')}
            />
          </FormField>
        </>
      )}
      <FormField label={t('profiles.cert')} constraintText={t('profiles.certHint')}>
        <Select
          selectedOption={certOptions.find(option => option.value === certId) ?? null}
          options={certOptions}
          placeholder={t('choose')}
          empty={t('profiles.noCerts')}
          statusType={certs.isPending ? 'loading' : 'finished'}
          expandToViewport
          onChange={({ detail }) => setCert(detail.selectedOption.value ?? '')}
        />
      </FormField>
      {needsDevices && <DevicesField ids={deviceIdList} onChange={setDevices} />}
    </DialogBox>
  )
}
