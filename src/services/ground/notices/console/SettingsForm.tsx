import './notices.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { notices } from '../contract.ts'
import { digests } from '../rules.ts'
import { CellMatrix } from './CellMatrix.tsx'
import { api, inboxZone, type SettingsView } from './notice-calls.ts'

/** What this browser knows; the one that is chosen may be another. */
const timeZones = Intl.supportedValuesOf('timeZone')

export function SettingsForm({ settings: kept }: { settings: SettingsView }) {
  const { t } = useTranslation('ground/notices')
  const [cells, setCells] = useState(kept.settings)
  const { digest, digestAt, timeZone, revision } = kept
  const form = useContractForm(notices.calls.putSettings.body, { settings: [], digest, digestAt, timeZone, revision })
  const save = useAction(api.putSettings, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t('settings.done') }),
  })
  const chosen = form.form.watch('digest')
  const zones = [...new Set(['UTC', timeZone, ...timeZones])]
  const changed = cells.filter((cell, at) => cell.enabled !== kept.settings[at]?.enabled)
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('settings.title')} description={t('settings.text')} />
      <ContractFormBox
        of={form}
        action={save}
        submit={body => save.run({ body: { ...body, settings: changed } }, inboxZone())}
        submitLabel={t('action.save')}
      >
        <Container header={<Header variant="h2">{t('settings.matrix')}</Header>}>
          <CellMatrix cells={cells} channels={kept.channels} onChange={setCells} />
        </Container>
        <Container
          header={
            <Header variant="h2" description={t('settings.digestText')}>
              {t('settings.digest')}
            </Header>
          }
        >
          <div className="notices-digest">
            <SelectField
              of={form}
              name="digest"
              label={t('settings.howOften')}
              options={digests.map(value => ({ value, label: t(`digests.${value}`) }))}
            />
            {chosen !== 'off' && (
              <>
                <TextField of={form} name="digestAt" label={t('settings.digestAt')} placeholder="09:00" />
                <SelectField
                  of={form}
                  name="timeZone"
                  label={t('settings.timeZone')}
                  options={zones.map(value => ({ value, label: value.replaceAll('_', ' ') }))}
                />
              </>
            )}
          </div>
        </Container>
      </ContractFormBox>
    </SpaceBetween>
  )
}
