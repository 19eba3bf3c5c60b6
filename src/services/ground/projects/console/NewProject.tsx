import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Tiles from '@cloudscape-design/components/tiles'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useSwitches } from '../../../../console/page-configuration.ts'
import { teamZone } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'
import { projects } from '../contract.ts'
import { isZoneOpen } from '../rules.ts'
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
  const isChinaOn = useSwitches()('chinaSideSwitch')
  const wanted = form.form.watch('zone') ?? home
  const open = zones.filter(zone => isZoneOpen(zone, isChinaOn))
  const chosen = open.includes(wanted) ? wanted : (open[0] ?? home)
  const { setValue } = form.form
  useEffect(() => setValue('zone', chosen), [chosen, setValue])
  const textOf = (zone: ZoneId) => {
    if (!open.includes(zone)) return t('new.zoneClosed')
    return zone === home ? `${t(`zoneTexts.${zone}`)} · ${t('new.zoneOfTeam')}` : t(`zoneTexts.${zone}`)
  }

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
        <FormField
          label={t('new.zone')}
          description={t('new.zoneText')}
          errorText={form.form.formState.errors.zone?.message}
        >
          <Tiles
            value={chosen}
            columns={2}
            items={zones.map(zone => ({
              value: zone,
              label: t(`zones.${zone}`),
              description: textOf(zone),
              disabled: !open.includes(zone),
            }))}
            onChange={({ detail }) => form.form.setValue('zone', detail.value as ZoneId)}
          />
        </FormField>
        <Alert type="info">{t('new.stays')}</Alert>
      </ContractFormBox>
    </Modal>
  )
}
