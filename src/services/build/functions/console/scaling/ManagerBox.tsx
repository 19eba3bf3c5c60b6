import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../../console/use-action.ts'
import { egressModes, logLevels } from '../../scaling/rules.ts'
import { ChoiceField } from '../controls/ChoiceField.tsx'
import { ControlBox } from '../controls/ControlBox.tsx'
import { NumberField } from '../controls/NumberField.tsx'
import { type ManagerView, scalingApi } from '../function-calls.ts'

const numbers = ['minInstances', 'maxInstances', 'idleTimeoutSec'] as const
const linesOf = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** How many copies there may be, what of their lines is kept, and where they may connect to. */
export function ManagerBox({ functionId, found }: { functionId: string; found: ManagerView }) {
  const { t } = useTranslation('build/functions')
  const { qualifier, revision, live: _live, ...config } = found
  const [draft, setDraft] = useState(config)
  const [cidrs, setCidrs] = useState(config.egress.cidrs.join('\n'))
  const [hosts, setHosts] = useState(config.egress.hosts.join('\n'))
  const save = useAction(scalingApi.setManagerConfig, { errors: 'form' })
  const { egress } = draft
  const submit = () =>
    void save.run({
      params: { functionId },
      body: {
        qualifier,
        revision,
        ...draft,
        egress: { mode: egress.mode, cidrs: linesOf(cidrs), hosts: linesOf(hosts) },
      },
    })
  return (
    <ControlBox
      scope="scaling"
      id="manager"
      title={t('scaling.manager')}
      text={t('scaling.managerText')}
      isRunning={save.isRunning}
      error={save.error}
      onSave={submit}
    >
      <div className="fn-fields">
        {numbers.map(name => (
          <NumberField
            key={name}
            label={t(`scaling.${name}`)}
            hint={t(`scaling.hints.${name}`)}
            value={draft[name]}
            onChange={value => setDraft({ ...draft, [name]: value })}
          />
        ))}
        <ChoiceField
          label={t('scaling.logLevel')}
          hint={t('scaling.hints.logLevel')}
          value={draft.logLevel}
          options={logLevels.map(value => ({ value, label: t(`scaling.levels.${value}`) }))}
          onChange={logLevel => setDraft({ ...draft, logLevel })}
        />
        <ChoiceField
          label={t('scaling.egress')}
          hint={t('scaling.hints.egress')}
          value={egress.mode}
          options={egressModes.map(value => ({ value, label: t(`scaling.modes.${value}`) }))}
          onChange={mode => setDraft({ ...draft, egress: { ...egress, mode } })}
        />
      </div>
      {egress.mode === 'ALLOWLIST' && (
        <div className="fn-fields">
          <FormField label={t('scaling.hosts')} constraintText={t('scaling.hints.hosts')}>
            <Textarea value={hosts} rows={4} spellcheck={false} onChange={({ detail }) => setHosts(detail.value)} />
          </FormField>
          <FormField label={t('scaling.cidrs')} constraintText={t('scaling.hints.cidrs')}>
            <Textarea value={cidrs} rows={4} spellcheck={false} onChange={({ detail }) => setCidrs(detail.value)} />
          </FormField>
        </div>
      )}
    </ControlBox>
  )
}
