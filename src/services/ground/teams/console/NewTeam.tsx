import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { switchTeam } from '../../../../console/shell/session-actions.ts'
import { useAction } from '../../../../console/use-action.ts'
import { shownZoneIds, siteOfZone } from '../../../../kernel/zones.ts'
import { countryCodes } from '../../regions/contract.ts'
import { teams } from '../contract.ts'
import { api } from './team-calls.ts'

/** Makes a team and goes on in it at once, for that is why one makes a team. */
export function NewTeam({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('ground/teams')
  const form = useContractForm(teams.calls.createTeam.body, { name: '', countryCode: 'CN', siteId: siteOfZone('CN') })
  const act = useAction(api.createTeam, {
    errors: 'form',
    onDone: team => {
      notify({ tone: 'success', text: t('newTeam.done', { name: team.name }) })
      onClose()
      void switchTeam(team.teamId)
    },
  })
  const names = new Intl.DisplayNames([i18n.language], { type: 'region' })
  const countries = countryCodes
    .map(code => ({ value: code, label: names.of(code) ?? code }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.language))

  const zones = shownZoneIds.map(zone => ({ value: String(siteOfZone(zone)), label: t(`zones.${zone}`) }))

  return (
    <Modal visible header={t('team.create')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('team.name')} hint={t('newTeam.nameHint')} />
        <SelectField of={form} name="countryCode" label={t('team.country')} options={countries} />
        <FormField of={form} name="siteId" label={t('team.zone')} description={t('newTeam.zoneText')}>
          {field => (
            <Select
              ref={field.ref}
              selectedOption={zones.find(zone => zone.value === String(field.value)) ?? null}
              options={zones}
              onBlur={field.onBlur}
              onChange={({ detail }) => field.onChange(Number(detail.selectedOption.value))}
            />
          )}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
