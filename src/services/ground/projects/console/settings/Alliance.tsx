import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { dgsProjectApis } from '../../api/contract.ts'
import { type AllianceView, keyApi } from '../project-calls.ts'

/** The project's place in an alliance of stores. */
export function Alliance({ projectId }: { projectId: string }) {
  const { t } = useTranslation('ground/projects')
  const found = useCall(keyApi.getAllianceAttr, { query: { projectId } })
  const alliance = found.data
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!alliance) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('alliance.text')}
          info={
            <StatusBadge
              tone={alliance.isMember ? 'good' : 'off'}
              text={alliance.isMember ? t('alliance.in') : t('alliance.out')}
            />
          }
        >
          {t('alliance.title')}
        </Header>
      }
    >
      {may('projects.edit') ? (
        <EditAlliance key={alliance.revision} alliance={alliance} />
      ) : (
        <KeyValuePairs
          columns={2}
          items={[
            { label: t('alliance.name'), value: <span translate="no">{alliance.allianceName || '–'}</span> },
            { label: t('alliance.contact'), value: <span translate="no">{alliance.contact || '–'}</span> },
          ]}
        />
      )}
    </Container>
  )
}

function EditAlliance({ alliance }: { alliance: AllianceView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId, isMember, allianceName, contact, revision } = alliance
  const form = useContractForm(dgsProjectApis.calls.setAllianceAttr.body, {
    ...{ projectId, isMember, allianceName, contact, revision },
  })
  const act = useAction(keyApi.setAllianceAttr, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t('alliance.saved') }),
  })
  const { watch, setValue } = form.form
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={({ allianceName: name = '', contact: person = '', ...body }) =>
        act.run({ body: { ...body, allianceName: name, contact: person } })
      }
      submitLabel={t('action.save')}
    >
      <Toggle checked={watch('isMember')} onChange={({ detail }) => setValue('isMember', detail.checked)}>
        {t('alliance.isMember')}
      </Toggle>
      <TextField of={form} name="allianceName" label={t('alliance.name')} hint={t('alliance.nameHint')} />
      <TextField of={form} name="contact" label={t('alliance.contact')} hint={t('alliance.contactHint')} />
    </ContractFormBox>
  )
}
