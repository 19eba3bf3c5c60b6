import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type CheckKind, checkKinds } from '../rules.ts'
import { api, appCalls, configApi, packageCalls } from './check-calls.ts'

/** Chooses an app, one of its packages and what to look at. */
export function NewCheck({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('distribute/app-check')
  const [appId, setApp] = useState<string | null>(null)
  const [pkgId, setPkg] = useState<string | null>(null)
  const [kinds, setKinds] = useState<readonly CheckKind[]>(checkKinds)
  const apps = useCall(appCalls.listApps, { query: { pageSize: 100 } })
  const packages = useCall(
    packageCalls.listPackages,
    { query: { appId: appId ?? '1', pageSize: 100 } },
    { enabled: appId !== null },
  )
  const config = useCall(configApi.getTestTaskConfig, {}, { staleTime: Number.POSITIVE_INFINITY })
  const act = useAction(api.createCheck, {
    errors: 'form',
    onDone: ({ checkId }) => {
      onClose()
      window.location.assign(hrefOf('/checks/$checkId', { checkId }))
    },
  })
  const appOptions = (apps.data?.list ?? []).map(app => ({ value: app.appId, label: app.name }))
  const pkgOptions = (packages.data?.list ?? []).map(pkg => ({
    value: pkg.pkgId,
    label: pkg.fileName,
    description: `${pkg.versionName ?? '–'} (${pkg.versionCode ?? '–'})`,
  }))
  const kindOptions = checkKinds.map(kind => {
    const canRun = config.data?.kinds.find(one => one.kind === kind)?.canRun ?? true
    return { value: kind, label: t(`kinds.${kind}`), ...(!canRun && { description: t('needsDevice') }) }
  })
  const canSubmit = appId !== null && pkgId !== null && kinds.length > 0
  return (
    <DialogBox
      title={t('new.title')}
      verb={t('new.verb')}
      action="new-check"
      isRunning={act.isRunning}
      canSubmit={canSubmit}
      refusal={act.error && errorText(act.error)}
      onClose={onClose}
      onSubmit={() => canSubmit && void act.run({ body: { appId, pkgId, kinds: [...kinds] } })}
    >
      <FormField label={t('app')}>
        <Select
          selectedOption={appOptions.find(one => one.value === appId) ?? null}
          options={appOptions}
          filteringType="auto"
          placeholder={t('new.chooseApp')}
          empty={t('new.noApps')}
          onChange={({ detail }) => {
            setApp(detail.selectedOption.value ?? null)
            setPkg(null)
          }}
        />
      </FormField>
      <FormField label={t('package')}>
        <Select
          selectedOption={pkgOptions.find(one => one.value === pkgId) ?? null}
          options={pkgOptions}
          disabled={appId === null}
          placeholder={t('new.choosePackage')}
          empty={t('new.noPackages')}
          onChange={({ detail }) => setPkg(detail.selectedOption.value ?? null)}
        />
      </FormField>
      <FormField label={t('looksAt')}>
        <Multiselect
          selectedOptions={kindOptions.filter(one => kinds.includes(one.value))}
          options={kindOptions}
          onChange={({ detail }) => setKinds(detail.selectedOptions.map(one => one.value as CheckKind))}
        />
      </FormField>
    </DialogBox>
  )
}
