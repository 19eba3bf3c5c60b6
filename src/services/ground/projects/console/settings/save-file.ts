import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { notify } from '../../../../../console/notify.ts'

/** Hands the bytes of an answer to the browser as a file; the session's headers rule out a plain link. */
export async function saveFile(asked: Promise<Response>, fileName: string): Promise<void> {
  try {
    const url = URL.createObjectURL(await (await asked).blob())
    const link = document.createElement('a')
    link.href = url
    link.download = fileName
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  } catch (error) {
    if (isCallError(error)) notify({ tone: 'error', text: errorText(error), requestId: error.requestId })
    else throw error
  }
}
