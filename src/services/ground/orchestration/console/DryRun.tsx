import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { useSession } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { type Definition, type DryRunView, desk, parsed, pretty } from './process-calls.ts'
import { ScrolledText } from './ScrolledText.tsx'
import { Waterfall } from './Waterfall.tsx'

/** Runs what is on screen with the own session, in one of the own teams. */
export function DryRun({ definition }: { definition: Definition | undefined }) {
  const { t } = useTranslation('ground/orchestration')
  const session = useSession()
  const teams = session.status === 'in' ? session.info.teams : []
  const [teamId, setTeamId] = useState(teams[0]?.teamId ?? '')
  const [input, setInput] = useState('{}')
  const [seen, setSeen] = useState<DryRunView | null>(null)
  const run = useAction(desk.dryRun, { errors: 'form', invalidates: [], onDone: setSeen })
  const given = parsed<Record<string, unknown>>(input)
  const options = teams.map(team => ({ value: team.teamId, label: team.name }))
  const start = () => {
    if (definition && given) void run.run({ body: { definition, input: given, ...(teamId ? { teamId } : {}) } })
  }
  return (
    <SpaceBetween size="m">
      <p className="lg-soft process-text">{t(definition?.writes ? 'run.writes' : 'run.text')}</p>
      {teams.length === 0 && <Alert type="info">{t('run.noTeam')}</Alert>}
      {teams.length > 0 && (
        <FormField label={t('run.team')}>
          <Select
            selectedOption={options.find(one => one.value === teamId) ?? null}
            options={options}
            onChange={({ detail }) => setTeamId(detail.selectedOption.value ?? '')}
          />
        </FormField>
      )}
      <FormField label={t('run.input')} stretch errorText={given ? undefined : t('json.notJson')}>
        <Textarea value={input} rows={5} spellcheck={false} onChange={({ detail }) => setInput(detail.value)} />
      </FormField>
      <Button data-action="dryRun" loading={run.isRunning} disabled={!definition || !given} onClick={start}>
        {t('run.start')}
      </Button>
      {run.error && (
        <Alert type="error" header={errorText(run.error)}>
          {run.error.fields.map(field => (
            <div key={field.pointer}>
              <code>{field.pointer}</code> {field.message}
            </div>
          ))}
        </Alert>
      )}
      {seen && (
        <SpaceBetween size="m">
          {seen.refusal && (
            <Alert type="error" header={t('run.refused', { code: seen.refusal.code, status: seen.refusal.status })}>
              <span translate="no">{seen.refusal.message}</span>
            </Alert>
          )}
          <Waterfall trace={seen.trace} />
          {seen.partial.length > 0 && (
            <Alert type="warning" header={t('run.partial')}>
              {seen.partial.map(one => (
                <div key={one.step} translate="no">
                  <code>{one.step}</code> {one.code} {one.message}
                </div>
              ))}
            </Alert>
          )}
          <ScrolledText label={t('run.data')} text={pretty(seen.data)} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
