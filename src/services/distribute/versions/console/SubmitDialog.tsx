import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { limits } from '../rules.ts'
import { EditDialog } from './EditDialog.tsx'
import { FindingList } from './FindingList.tsx'
import { ChoosePhase } from './phased/ChoosePhase.tsx'
import { choiceOf, isChoiceRight, type PhaseChoice, phaseFields, wholeRelease } from './phased/phase-choice.ts'
import { api, type FindingView, phasedApi, type VersionView } from './version-calls.ts'
import { nameOf } from './version-words.ts'
import { ZonedTime } from './ZonedTime.tsx'

interface SubmitDialogProps {
  version: VersionView
  readiness: readonly FindingView[]
  onClose: () => void
}

/** What goes to the store, and what holds it back. A package still being processed only delays. */
export function SubmitDialog({ version, readiness, onClose }: SubmitDialogProps) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, appId, revision, onShelfTime, releaseMode, heldBy } = version
  const [remark, setRemark] = useState(version.remark)
  const [chosen, setChosen] = useState<PhaseChoice | null>(null)
  const isPlanned = version.releasePhase === 3
  const planned = useCall(phasedApi.listPhasedChanges, { query: { versionId } }, { enabled: isPlanned }).data?.phased
  const phase = chosen ?? (planned ? choiceOf(planned) : wholeRelease)
  const isKnown = !isPlanned || planned !== undefined
  const shelf = useCall(api.getVersion, { query: { appId } }).data
  const act = useAction(api.submitVersion, {
    errors: 'form',
    onDone: answer => {
      notify({ tone: 'success', text: answer.isQueued ? t('done.queued') : t('done.submit') })
      onClose()
    },
  })
  const blocks = readiness.filter(one => one.severity === 'BLOCK')
  const isDelayed = blocks.length > 0 && blocks.every(one => one.rule === 'package.processing')
  const canSubmit = blocks.length === 0 || isDelayed
  const used = [...remark].length
  return (
    <EditDialog
      title={version.versionCode === null ? t('actions.submit') : t('ask.submit', { name: nameOf(version) })}
      verb={isDelayed ? t('submit.whenReady') : t('actions.submit')}
      action="submit"
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={canSubmit && used <= limits.remarkLength && isKnown && isChoiceRight(phase)}
      onSubmit={() =>
        void act.run(
          {
            query: {},
            body: { versionId, remark, ...phaseFields(phase), ...(isDelayed && { submitWhenReady: true }) },
          },
          { revision },
        )
      }
      onClose={onClose}
    >
      {readiness.length > 0 && (
        <Alert
          type={canSubmit ? 'warning' : 'error'}
          header={canSubmit ? t('submit.look') : t('readiness.blocks', { count: blocks.length })}
        >
          <FindingList
            findings={readiness}
            appId={appId}
            versionId={versionId}
            canFix={!canSubmit}
            onFollow={onClose}
          />
        </Alert>
      )}
      {canSubmit && (
        <SpaceBetween size="m">
          <p className="version-said">{t('submit.text')}</p>
          <KeyValuePairs
            columns={2}
            items={[
              { label: t('release.mode'), value: t(`release.modes.${heldBy === null ? releaseMode : 'TOGETHER'}`) },
              ...(onShelfTime === null ? [] : [{ label: t('release.time'), value: <ZonedTime at={onShelfTime} /> }]),
              { label: t('countries.label'), value: t('countries.count', { count: version.countries.length }) },
            ]}
          />
          {shelf?.phased && <Alert type="warning">{t('phased.replaces', { name: nameOf(shelf.phased) })}</Alert>}
          {shelf?.onShelf && <ChoosePhase value={phase} onChange={setChosen} countries={version.countries} />}
          <FormField
            label={t('info.remark')}
            constraintText={t('form.used', { used, max: limits.remarkLength })}
            errorText={used > limits.remarkLength ? t('form.maxLength', { count: limits.remarkLength }) : undefined}
          >
            <Textarea value={remark} rows={3} onChange={({ detail }) => setRemark(detail.value)} />
          </FormField>
        </SpaceBetween>
      )}
    </EditDialog>
  )
}
