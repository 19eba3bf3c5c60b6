import { isCallError } from './call-error.ts'
import { errorText } from './error-text.ts'
import { notify } from './notify.ts'

/**
 * Hands the bytes of an answer to the browser as a file; the session's headers rule out a plain link. `fileName` is for
 * an answer that names none.
 */
export async function saveFile(asked: Promise<Response>, fileName: string): Promise<void> {
  try {
    const answer = await asked
    const named = /filename="([^"\\/]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
    const url = URL.createObjectURL(await answer.blob())
    const link = document.createElement('a')
    link.href = url
    link.download = named ?? fileName
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  } catch (error) {
    if (isCallError(error)) notify({ tone: 'error', text: errorText(error), requestId: error.requestId })
    // What breaks off in the middle is the browser's own error, without a number.
    else notify({ tone: 'error', text: errorText(error) })
  }
}
