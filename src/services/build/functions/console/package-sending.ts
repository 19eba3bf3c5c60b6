import { useState } from 'react'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import { ownAddress } from '../../../../console/own-address.ts'
import { putBytes } from '../../../../console/put-bytes.ts'
import { useAction } from '../../../../console/use-action.ts'
import { layersApi } from './function-calls.ts'

/** Sends a package to an address of its own; its key then names it to the calls that take one. */
export function usePackageSending() {
  const makeUpload = useAction(layersApi.makeUpload, { errors: 'form' })
  const [sentBytes, setSent] = useState<number | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  /** The key; null where it could not be sent, and then `refusal` says why. */
  const send = async (file: File): Promise<string | null> => {
    setFault(null)
    const target = await makeUpload.run({ body: { fileName: file.name, size: file.size } })
    if (!target) return null
    setSent(0)
    try {
      await putBytes(ownAddress(target.uploadUrl), file, { headers: target.headers, onProgress: setSent })
      return target.fileKey
    } catch (broken) {
      setFault(isCallError(broken) ? errorText(broken) : String(broken))
      return null
    } finally {
      setSent(null)
    }
  }
  const refusal = fault ?? (makeUpload.error && errorText(makeUpload.error))
  return { send, sentBytes, isSending: makeUpload.isRunning || sentBytes !== null, refusal }
}
