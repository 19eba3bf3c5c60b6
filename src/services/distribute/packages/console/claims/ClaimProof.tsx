import Alert from '@cloudscape-design/components/alert'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { projectZone } from '../../../../../console/session.ts'
import { sendParts } from '../../../../../console/uploads/send-parts.ts'
import { queryClient, useCall } from '../../../../../console/use-call.ts'
import { claimCalls, partCalls } from '../package-calls.ts'

interface ClaimProofProps {
  claimId: string
  /** The last one is being looked at. */
  isHandedIn: boolean
}

/** Sends the signed package that holds the challenge. */
export function ClaimProof({ claimId, isHandedIn }: ClaimProofProps) {
  const { t } = useTranslation('distribute/packages')
  const [sending, setSending] = useState<{ name: string; sizeBytes: number; sentBytes: number } | null>(null)
  const [error, setError] = useState('')
  useCall(claimCalls.listClaims, { query: { claimId } }, { enabled: isHandedIn, refetchInterval: isHandedIn && 1500 })

  const send = async (file: File) => {
    const zone = projectZone.get()
    const options = { signal: new AbortController().signal, ...(zone && { zone }) }
    setError('')
    setSending({ name: file.name, sizeBytes: file.size, sentBytes: 0 })
    try {
      const body = { fileName: file.name, size: file.size, bizTag: 'app_pkg' as const }
      const upload = await partCalls.beginUpload({ body }, options)
      const onProgress = (sentBytes: number) => setSending({ name: file.name, sizeBytes: file.size, sentBytes })
      await sendParts({ calls: partCalls, file, upload, options, onProgress })
      await claimCalls.proveClaim({ body: { claimId, objectId: upload.objectId } }, options)
      await queryClient.invalidateQueries({ queryKey: [claimCalls.listClaims.service] })
    } catch (failure) {
      setError(errorText(failure))
    } finally {
      setSending(null)
    }
  }
  return (
    <div className="packages-claim">
      {error !== '' && <Alert type="error">{error}</Alert>}
      {isHandedIn && <StatusIndicator type="in-progress">{t('claims.looking')}</StatusIndicator>}
      <FileDrop
        label={t('claims.handIn')}
        hint={t('claims.handInHint')}
        accept=".apk,.hap,.rpk"
        isDisabled={sending !== null}
        onFiles={([file]) => file && void send(file)}
        transfers={sending ? [{ id: claimId, ...sending, state: 'sending' }] : []}
      />
    </div>
  )
}
