import { useTranslation } from 'react-i18next'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { EditDialog } from '../EditDialog.tsx'
import { type TestView, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

interface AskTestProps {
  verb: 'stop' | 'withdraw' | 'delete'
  test: TestView
  onClose: () => void
}

/** Moves that need no more than a yes, with what follows from it in words. */
export function AskTest({ verb, test, onClose }: AskTestProps) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision } = test
  const onDone = () => {
    notify({ tone: 'success', text: t(`tests.done.${verb}`) })
    onClose()
  }
  const stop = useAction(testsApi.stopTest, { onDone, errors: 'form' })
  const remove = useAction(testsApi.deleteTestVersion, { onDone, errors: 'form' })
  const act = verb === 'delete' ? remove : stop
  const run = () => {
    if (verb === 'delete') return remove.run({ query: { versionId } })
    return stop.run({ body: { versionId, revision } })
  }
  return (
    <EditDialog
      title={t(`tests.ask.${verb}`, { version: nameOf(test) })}
      verb={t(`tests.verbs.${verb}`)}
      isRunning={act.isRunning}
      error={act.error}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <p className="version-said">{t(`tests.asks.${verb}`)}</p>
    </EditDialog>
  )
}
