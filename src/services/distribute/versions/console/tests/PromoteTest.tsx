import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { EditDialog } from '../EditDialog.tsx'
import { ChoosePhase } from '../phased/ChoosePhase.tsx'
import { isChoiceRight, phaseFields, wholeRelease } from '../phased/phase-choice.ts'
import { api, type TestView, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

interface PromoteTestProps {
  test: TestView
  onClose: () => void
}

/** The test becomes the formal version: for everybody, or for some devices first where a full version is on shelf. */
export function PromoteTest({ test, onClose }: PromoteTestProps) {
  const { t } = useTranslation('distribute/versions')
  const go = useGo()
  const { versionId, revision, appId } = test
  const [phase, setPhase] = useState(wholeRelease)
  const shelf = useCall(api.getVersion, { query: { appId } }).data
  const act = useAction(testsApi.openTest, {
    errors: 'form',
    onDone: ({ version }) => {
      notify({ tone: 'success', text: t('tests.done.promote') })
      onClose()
      if (version) go('/apps/$appId/version/$versionId', { appId, versionId: version.versionId })
    },
  })
  const { phased: phasedInfo, phasedDescription } = phaseFields(phase)
  const reach = phasedInfo ? { releaseType: 2, phasedInfo, phasedDescription } : { releaseType: 1 }
  return (
    <EditDialog
      title={t('tests.ask.promote', { version: nameOf(test) })}
      verb={t('tests.verbs.promote')}
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={shelf !== undefined && isChoiceRight(phase)}
      onSubmit={() => void act.run({ body: { versionId, revision, action: 'PROMOTE', ...reach } })}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <p className="version-said">{t('tests.asks.promote')}</p>
        {shelf?.onShelf && <ChoosePhase value={phase} onChange={setPhase} countries={test.countries} />}
      </SpaceBetween>
    </EditDialog>
  )
}
