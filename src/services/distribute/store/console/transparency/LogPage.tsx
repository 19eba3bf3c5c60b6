import './log.css'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { CopyField } from '../CopyField.tsx'
import { StoreFrame } from '../StoreFrame.tsx'
import { StoreNote } from '../StoreNote.tsx'
import { type LogHead, logApi } from '../store-calls.ts'
import type { Growth } from './check-log.ts'
import { FileCheck } from './FileCheck.tsx'
import { LogLines } from './LogLines.tsx'

/** The log of releases for anybody: whether it holds together, whether a file is in it, and what stands in it. */
export default function LogPage() {
  const { t } = useTranslation('distribute/store')
  const head = useCall(logApi.getLogHead, {})
  return (
    <StoreFrame>
      <a href={hrefOf('/store')}>{t('app.back')}</a>
      <div>
        <h1>{t('log.title')}</h1>
        <p className="store-lead">{t('log.lead')}</p>
      </div>
      {head.error && <StoreNote title={t('state.failed')} error={head.error} onRetry={() => void head.refetch()} />}
      {head.isPending && <StoreNote title={t('state.loading')} />}
      {head.data && (
        <div className="log-page">
          <FileCheck />
          <HeadPanel head={head.data} />
          <LogLines />
        </div>
      )}
    </StoreFrame>
  )
}

interface Findings {
  isSigned: boolean
  growth: Growth
}

/** What this browser found out about the log by its own arithmetic. */
function HeadPanel({ head }: { head: LogHead }) {
  const { t } = useTranslation('distribute/store')
  const [found, setFound] = useState<Findings | null>(null)
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    let isGone = false
    const look = async () => {
      const { growthOf, isSigned } = await import('./check-log.ts')
      const findings = { isSigned: isSigned(head), growth: await growthOf(head) }
      if (!isGone) setFound(findings)
    }
    look().catch(() => setFailed(true))
    return () => {
      isGone = true
    }
  }, [head])
  const growth = found?.growth
  return (
    <section className="store-panel">
      <h2>{t('log.head')}</h2>
      <p>
        {t('log.size', { count: head.size })} <When at={head.at} />
      </p>
      {isFailed && <p className="log-bad">{t('log.unchecked')}</p>}
      {found && growth && (
        <ul className="log-findings">
          <li className={found.isSigned ? 'log-good' : 'log-bad'}>
            {t(found.isSigned ? 'log.signed' : 'log.unsigned')}
          </li>
          <li className={growth.state === 'changed' ? 'log-bad' : 'log-good'}>
            {growth.state === 'first' ? t('log.first') : t(`log.${growth.state}`, { count: growth.since.size })}
          </li>
        </ul>
      )}
      <div className="store-copies">
        <CopyField label={t('log.root')} value={head.root} />
        <CopyField label={t('log.key')} value={head.publicKey} />
      </div>
    </section>
  )
}
