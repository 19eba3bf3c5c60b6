import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { CodeEditor, type LineMark } from '../../../../../console/kit/CodeEditor.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { useSettled } from '../../../../../console/use-settled.ts'
import type { RulesView, SimulationView } from '../../contract.ts'
import { api, type Where } from '../rules-calls.ts'
import type { Work } from '../use-work.ts'
import { DiagnosticsList } from './DiagnosticsList.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { SimulatorPanel } from './SimulatorPanel.tsx'

interface EditorTabProps {
  where: Where
  rules: RulesView
  work: Work
}

const none: never[] = []

/** The rules as text with what is odd about them, and beside it a request to try them on. */
export function EditorTab({ where, rules, work }: EditorTabProps) {
  const { t, i18n } = useTranslation('build/rules')
  const [tried, setTried] = useState<{ source: string; result: SimulationView } | null>(null)
  const [place, setPlace] = useState<{ line: number; col: number } | null>(null)
  const [isPublishing, setPublishing] = useState(false)
  const settled = useSettled(work.source, 400)
  const check = useCall(api.checkRules, { body: { ...where, source: settled } }, { keepBefore: true, retry: false })
  const save = useAction(api.saveDraft, { invalidates: [api.getRules] })
  const canEdit = may('rules.edit')
  const { data } = check
  const language = i18n.resolvedLanguage ?? 'en'
  const diagnostics = useMemo(
    () =>
      (data?.diagnostics ?? []).map(one => ({
        ...one,
        message: diagnosticText(t, language, one),
        fix: one.fix && { ...one.fix, title: t('fixes.R001') },
      })),
    [data, t, language],
  )
  const isCurrent = tried?.source === work.source
  const marks = useMemo(() => (isCurrent && tried ? marksOf(tried.result, t) : []), [isCurrent, tried, t])
  const keep = (draft: string | null) =>
    save.run({ body: { ...where, draft, ...(rules.revision !== null && { revision: rules.revision }) } })
  return (
    <div className="rules-editor">
      <SpaceBetween size="s">
        {rules.draft !== null && !work.isUnsaved && work.isChanged && (
          <Alert type="info">{t('draft.kept', { version: rules.published })}</Alert>
        )}
        {data?.isImported && data.formatted !== null && (
          <Alert
            type="info"
            header={t('imported.title')}
            action={
              <Button data-action="rewriteRules" onClick={() => work.write(data.formatted ?? work.source)}>
                {t('imported.go')}
              </Button>
            }
          >
            {t('imported.text')}
          </Alert>
        )}
        <div className="rules-buttons">
          <Button
            iconName="edit"
            disabled={!canEdit || !data?.formatted || settled !== work.source || data.formatted === work.source}
            data-action="formatRules"
            onClick={() => data?.formatted && work.write(data.formatted)}
          >
            {t('format')}
          </Button>
          <Can call={api.saveDraft}>
            <Button
              disabled={!work.isUnsaved}
              loading={save.isRunning}
              data-action="saveDraft"
              onClick={() => void keep(work.source)}
            >
              {t('draft.save')}
            </Button>
            {rules.draft !== null && (
              <Button
                disabled={work.isUnsaved}
                loading={save.isRunning}
                data-action="dropDraft"
                onClick={() => void keep(null)}
              >
                {t('draft.drop')}
              </Button>
            )}
          </Can>
          <Can call={api.publishRules}>
            <Button
              variant="primary"
              disabled={!work.isChanged || data?.ok !== true || settled !== work.source}
              data-action="publishRules"
              onClick={() => setPublishing(true)}
            >
              {t('publish.go')}
            </Button>
          </Can>
        </div>
        <CodeEditor
          label={t('source')}
          language="rules"
          value={work.source}
          {...(canEdit && { onChange: work.write })}
          diagnostics={settled === work.source ? diagnostics : none}
          marks={marks}
          place={place}
          lines={{ least: 18, most: 34 }}
        />
        <DiagnosticsList list={diagnostics} stats={data?.stats} error={check.error} onGo={setPlace} />
      </SpaceBetween>
      <SimulatorPanel
        where={where}
        source={work.source}
        isStale={tried !== null && !isCurrent}
        onResult={result => setTried({ source: work.source, result })}
        onGo={setPlace}
      />
      <UnsavedGuard isDirty={work.isUnsaved} what={t('draft.what')} />
      {isPublishing && (
        <PublishDialog where={where} rules={rules} source={work.source} onClose={() => setPublishing(false)} />
      )}
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<'build/rules'>>['t']

/** Where what the compiler says names something, its words stand behind the reader's. */
const named = /^(?:E0(?:14|20|21|41|42|44|46|47|51|52|55|60)|R00[3567])$/

function diagnosticText(t: Translate, language: string, { code, message }: { code: string; message: string }): string {
  if (language === 'en') return `${code}: ${message}`
  const known = t(`diagnostics.${code as 'R001'}`, { defaultValue: message })
  return `${code}: ${known}${named.test(code) ? ` (${message})` : ''}`
}

function marksOf({ matched }: SimulationView, t: Translate): LineMark[] {
  const tones = { true: 'good', false: 'bad', error: 'caution', 'other-method': 'quiet' } as const
  return matched.flatMap(one =>
    one.allows
      .filter(allow => allow.result !== 'other-method')
      .map(allow => ({ line: allow.line, tone: tones[allow.result], text: t(`results.${allow.result}`) })),
  )
}
