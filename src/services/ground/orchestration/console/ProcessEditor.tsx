import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { notify } from '../../../../console/notify.ts'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { processName } from '../rules.ts'
import { ConfirmAction } from './ConfirmAction.tsx'
import { DryRun } from './DryRun.tsx'
import { HowToCall } from './HowToCall.tsx'
import { JsonView } from './JsonView.tsx'
import { ProcessGraph } from './ProcessGraph.tsx'
import {
  type Definition,
  desk,
  type ProcessView,
  parsed,
  pretty,
  stateTones,
  type VersionView,
} from './process-calls.ts'
import { StepForm } from './StepForm.tsx'
import { StepTable } from './StepTable.tsx'
import { VersionList } from './VersionList.tsx'

/** What is on screen is the draft, else the active version; saving makes the draft. */
export function ProcessEditor({ process }: { process: ProcessView }) {
  const { t } = useTranslation('ground/orchestration')
  const go = useGo()
  const [{ tab = 'graph' }, changeSearch] = usePageSearch<{ tab?: string }>(raw => raw as { tab?: string })
  const { versions, usedBy } = process
  const draft = versions.find(one => one.state === 'draft')
  const shown = draft ?? versions.find(one => one.state === 'active') ?? versions[0]
  const [text, setText] = useState(() => pretty(shown?.definition))
  const [problems, setProblems] = useState(process.problems)
  const [step, setStep] = useState<{ id: string | null } | null>(null)
  const [asked, setAsked] = useState<{ version: VersionView; action: 'publish' | 'retire' | 'discard' } | null>(null)
  const params = { definitionId: process.definitionId, processId: process.processId }
  const definition = parsed<Definition>(text)
  const isChanged = text !== pretty(shown?.definition)
  const steps = definition?.steps ?? (definition?.sameAs ? process.effective.steps : undefined) ?? []
  const save = useAction(desk.saveDraft, {
    errors: 'form',
    onDone: answer => {
      setProblems(answer.problems)
      notify({ tone: 'success', text: t('draft.saved') })
    },
  })
  const act = useAction(desk.actOnVersion, {
    onDone: (answer, input) => {
      setAsked(null)
      notify({ tone: 'success', text: t(`done.${input.body.action}`) })
      if (answer.state === null && versions.length === 1) go('/operate/processes')
    },
  })
  const saveDraft = () => {
    if (definition) void save.run({ params, body: { definition, ...(draft ? { revision: draft.revision } : {}) } })
  }
  const perform = (version: VersionView, action: 'publish' | 'retire' | 'discard') =>
    act.run({ params: { versionId: version.versionId }, body: { action, revision: version.revision } })
  const takeStep = (made: NonNullable<Definition['steps']>[number]) => {
    const before = definition?.steps ?? []
    const next = step?.id ? before.map(one => (one.id === step.id ? made : one)) : [...before, made]
    setText(pretty({ ...definition, steps: next }))
    setStep(null)
  }
  const fields = save.error ? save.error.fields : []
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={processName(process)}
        description={<span translate="no">{shown?.definition.title}</span>}
        {...(shown && { status: <StatusBadge tone={stateTones[shown.state]} text={t(`states.${shown.state}`)} /> })}
        actions={
          <Can call={desk.saveDraft}>
            <Button
              data-action="saveDraft"
              loading={save.isRunning}
              disabled={!definition || !isChanged}
              onClick={saveDraft}
            >
              {t('draft.save')}
            </Button>
            {draft && (
              <Button
                variant="primary"
                data-action="publish"
                loading={act.isRunning}
                disabled={isChanged || problems.length > 0}
                onClick={() => setAsked({ version: draft, action: 'publish' })}
              >
                {t('actions.publish')}
              </Button>
            )}
          </Can>
        }
      />
      {definition?.sameAs && <Alert type="info">{t('graph.sameAs', { name: definition.sameAs })}</Alert>}
      {usedBy.length > 0 && <Alert type="info">{t('graph.usedBy', { names: usedBy.join(', ') })}</Alert>}
      <Tabs
        ariaLabel={t('tabs.label')}
        activeTabId={tab}
        onChange={({ detail }) => changeSearch({ tab: detail.activeTabId })}
        tabs={[
          {
            id: 'graph',
            label: t('tabs.graph'),
            content: (
              <SpaceBetween size="m">
                <Container>
                  <ProcessGraph steps={steps} onChoose={definition?.steps ? id => setStep({ id }) : undefined} />
                </Container>
                {definition?.steps && (
                  <Can call={desk.saveDraft}>
                    <Button data-action="newStep" iconName="add-plus" onClick={() => setStep({ id: null })}>
                      {t('step.new')}
                    </Button>
                  </Can>
                )}
                <StepTable steps={steps} />
                <HowToCall process={params} />
              </SpaceBetween>
            ),
          },
          {
            id: 'json',
            label: t('tabs.json'),
            content: (
              <JsonView
                text={text}
                isJson={definition !== undefined}
                problems={fields.length > 0 ? fields : problems}
                isReadOnly={false}
                onChange={setText}
              />
            ),
          },
          { id: 'run', label: t('tabs.run'), content: <DryRun definition={definition} /> },
          {
            id: 'versions',
            label: t('tabs.versions'),
            content: (
              <VersionList
                versions={versions}
                isRunning={act.isRunning}
                onAct={(version, action) => setAsked({ version, action })}
              />
            ),
          },
        ]}
      />
      {step && (
        <StepForm step={steps.find(one => one.id === step.id)} onDone={takeStep} onClose={() => setStep(null)} />
      )}
      {asked && (
        <ConfirmAction
          name={process.processId}
          action={asked.action}
          isRunning={act.isRunning}
          onConfirm={() => void perform(asked.version, asked.action)}
          onClose={() => setAsked(null)}
        />
      )}
    </SpaceBetween>
  )
}
