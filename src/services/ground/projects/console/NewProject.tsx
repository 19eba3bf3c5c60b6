import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Tiles from '@cloudscape-design/components/tiles'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { teamZone } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'
import { projects } from '../contract.ts'
import { api } from './project-calls.ts'

interface NewProjectProps {
  onClose: () => void
  onMade: (projectId: string) => void
}

/** The one choice here that stays for ever is the zone, so it is shown as a choice and said in words. */
export function NewProject({ onClose, onMade }: NewProjectProps) {
  const { t } = useTranslation('ground/projects')
  const home = teamZone() ?? 'CN'
  const form = useContractForm(projects.calls.createProject.body, { name: '', zone: home })
  const act = useAction(api.createProject, { onDone: made => onMade(made.projectId), errors: 'form' })
  const zones = [...new Set<ZoneId>([home, ...shownZoneIds])]

  return (
    <Modal visible header={t('new.title')} size="medium" onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('projects.name')} hint={t('new.nameHint')} />
        <FormField label={t('new.zone')} description={t('new.zoneText')}>
          <Tiles
            value={form.form.watch('zone') ?? home}
            columns={2}
            items={zones.map(zone => ({
              value: zone,
              label: t(`zones.${zone}`),
              description:
                zone === home ? `${t(`zoneTexts.${zone}`)} · ${t('new.zoneOfTeam')}` : t(`zoneTexts.${zone}`),
            }))}
            onChange={({ detail }) => form.form.setValue('zone', detail.value as ZoneId)}
          />
        </FormField>
        <Alert type="info">{t('new.stays')}</Alert>
      </ContractFormBox>
    </Modal>
  )
}
