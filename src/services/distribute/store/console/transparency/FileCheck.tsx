import { type DragEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { type LogProof, logApi } from '../store-calls.ts'

type Step =
  | { at: 'idle' }
  | { at: 'reading'; percent: number; name: string }
  | { at: 'failed'; text: string }
  | { at: 'done'; name: string; sha256: string; lines: { line: LogProof; isProven: boolean }[] }

/** A file never leaves the browser: it is digested here, and only the digest is asked for. */
export function FileCheck() {
  const { t } = useTranslation('distribute/store')
  const id = useId()
  const [step, setStep] = useState<Step>({ at: 'idle' })
  const check = async (file: File | undefined) => {
    if (!file) return
    const { name } = file
    setStep({ at: 'reading', percent: 0, name })
    try {
      const { digestOf, isProven, isSigned } = await import('./check-log.ts')
      const sha256 = await digestOf(file, percent => setStep({ at: 'reading', percent, name }))
      const head = await logApi.getLogHead({})
      const { list } = await logApi.proveInclusion({ query: { sha256, treeSize: head.size } })
      const lines = list.map(line => ({ line, isProven: isSigned(head) && isProven(line, head) }))
      setStep({ at: 'done', name, sha256, lines })
    } catch (error) {
      setStep({ at: 'failed', text: errorText(error) })
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void check(event.dataTransfer.files[0])
  }
  return (
    <section className="store-panel">
      <h2>{t('check.title')}</h2>
      <p className="store-soft">{t('check.text')}</p>
      <fieldset
        className="log-drop"
        aria-label={t('check.drop')}
        onDragOver={event => event.preventDefault()}
        onDrop={drop}
      >
        <input
          id={id}
          type="file"
          className="lg-unseen"
          accept=".apk"
          data-action="check-file"
          onChange={event => void check(event.target.files?.[0])}
        />
        <label htmlFor={id}>{t('check.drop')}</label>
      </fieldset>
      <div aria-live="polite">
        {step.at === 'reading' && (
          <label className="log-reading">
            {t('check.reading', { name: step.name })}
            <progress max={100} value={step.percent} />
          </label>
        )}
        {step.at === 'failed' && <p className="log-bad">{step.text}</p>}
        {step.at === 'done' && <Result {...step} />}
      </div>
    </section>
  )
}

const named = (entry: LogProof['entry']) => ({ name: entry.packageName, code: entry.versionCode })

function Result({ name, sha256, lines }: Extract<Step, { at: 'done' }>) {
  const { t } = useTranslation('distribute/store')
  return (
    <div className="log-result">
      {lines.length === 0 && <p className="log-bad">{t('check.none', { name })}</p>}
      {lines.map(({ line: { entry, proof }, isProven }) => (
        <div key={entry.position}>
          <p className={isProven ? 'log-good' : 'log-bad'}>
            {isProven ? t('check.proven', named(entry)) : t('check.unproven', named(entry))} <When at={entry.at} />
          </p>
          <details>
            <summary>{t('check.proof', { count: proof.length })}</summary>
            <ol className="store-list">
              {proof.map(hash => (
                <li key={hash} className="store-hash">
                  {hash}
                </li>
              ))}
            </ol>
          </details>
        </div>
      ))}
      <p className="store-hash">SHA-256 {sha256}</p>
    </div>
  )
}
