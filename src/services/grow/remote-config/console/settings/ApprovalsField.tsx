import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { changeLimits } from '../../change-requests/rules.ts'
import type { SettingsView } from '../../settings/contract.ts'
import { settingsApi } from '../config-calls.ts'

const choices = Array.from({ length: changeLimits.mostApprovals + 1 }, (_, at) => at)

/** How many others must agree; whoever may only publish cannot change it. */
export function ApprovalsField({ settings }: { settings: SettingsView }) {
  const { t } = useTranslation('grow/remote-config')
  const [approvals, setApprovals] = useState(settings.approvals)
  const save = useAction(settingsApi.putSettings)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { projectId, minFetchIntervalSec, revision } = settings
    void save.run({ body: { projectId, minFetchIntervalSec, approvals, ...(revision && { revision }) } })
  }
  const isFree = may('remoteConfig.force')
  return (
    <Container>
      <form className="rcs-interval" onSubmit={submit} noValidate>
        <FormField label={t('settings.approvals')} description={t('settings.approvalsText')}>
          <SegmentedControl
            label={t('settings.approvals')}
            selectedId={String(approvals)}
            options={choices.map(one => ({ id: String(one), text: String(one), disabled: !isFree }))}
            onChange={({ detail }) => setApprovals(Number(detail.selectedId))}
          />
        </FormField>
        <Can may="remoteConfig.force">
          <Button data-action="putApprovals" disabled={approvals === settings.approvals} loading={save.isRunning}>
            {t('settings.save')}
          </Button>
        </Can>
      </form>
    </Container>
  )
}
