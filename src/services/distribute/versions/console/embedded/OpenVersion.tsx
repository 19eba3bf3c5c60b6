import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { findingText } from '../finding-words.ts'
import { api, type FindingView, type VersionView } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

/** What can be done with one hand; the rest needs the whole console. */
const moves = ['submit', 'withdraw', 'release'] as const
type Move = (typeof moves)[number]

/** The version being prepared: its state, what is missing, and the moves that are allowed now, each after a question. */
export function OpenVersion({ version, readiness }: { version: VersionView; readiness: readonly FindingView[] }) {
  const { t } = useTranslation('distribute/versions')
  const dialog = useRef<HTMLDialogElement>(null)
  const [move, setMove] = useState<Move>('submit')
  const { versionId, revision, state } = version
  const onDone = () => {
    notify({ tone: 'success', text: t(`done.${move}`) })
    dialog.current?.close()
  }
  const submit = useAction(api.submitVersion, { onDone, errors: 'form' })
  const withdraw = useAction(api.withdrawVersion, { onDone, errors: 'form' })
  const release = useAction(api.updateReleaseTime, { onDone, errors: 'form' })
  const acts = { submit, withdraw, release }
  const run = () => {
    if (move === 'submit') return submit.run({ query: {}, body: { versionId } }, { revision })
    if (move === 'withdraw') return withdraw.run({ body: { versionId } }, { revision })
    return release.run({ body: { versionId, changeType: 1 } }, { revision })
  }
  const ask = (one: Move) => {
    acts[one].reset()
    setMove(one)
    dialog.current?.showModal()
  }
  const missing = readiness.filter(one => one.severity === 'BLOCK')
  const isOffered = (one: Move) => version.allowedActions.includes(one) && (one !== 'submit' || missing.length === 0)
  const { isRunning, error } = acts[move]
  return (
    <section className="embedded-card">
      <h2>{t('embedded.open')}</h2>
      <p className="embedded-big">{nameOf(version)}</p>
      <p className="embedded-state" data-state={state}>
        {t(`state.${state}`)}
      </p>
      {missing.length > 0 && (
        <details>
          <summary>{t('readiness.blocks', { count: missing.length })}</summary>
          <ul>
            {missing.map(one => (
              <li key={`${one.rule} ${one.message}`}>{findingText(one)}</li>
            ))}
          </ul>
        </details>
      )}
      <div className="embedded-moves">
        {moves.filter(isOffered).map(one => (
          <button key={one} type="button" className="embedded-button" data-action={one} onClick={() => ask(one)}>
            {t(`actions.${one}`)}
          </button>
        ))}
      </div>
      <dialog ref={dialog} className="embedded-dialog" aria-labelledby="embedded-question">
        <h2 id="embedded-question">{move === 'submit' ? t('actions.submit') : t(`ask.${move}`)}</h2>
        <p>{move === 'submit' ? t('submit.text') : t(`asks.${move}`)}</p>
        {error && <p role="alert">{errorText(error)}</p>}
        <div className="embedded-moves">
          <button type="button" className="embedded-quiet" onClick={() => dialog.current?.close()}>
            {t('action.cancel')}
          </button>
          <button type="button" className="embedded-button" disabled={isRunning} onClick={() => void run()}>
            {t(`actions.${move}`)}
          </button>
        </div>
      </dialog>
    </section>
  )
}
