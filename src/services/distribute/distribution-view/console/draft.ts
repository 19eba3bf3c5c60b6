import { useState } from 'react'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import { ownAddress } from '../../../../console/own-address.ts'
import { textColourOn } from '../../../../kernel/colours.ts'
import { pictureLimits, pictureMisfit } from '../immersive/rules.ts'
import { api, fileCalls, type Picture } from './immersive-calls.ts'

/** What is being chosen on the page, before it is saved. */
export type Draft = Pick<Picture, 'objectId' | 'palette' | 'dominantColor' | 'textColor'> & { src: string | null }

const draftOf = (picture: Picture): Draft => ({
  ...picture,
  src: picture.pictureUrl === null ? null : ownAddress(picture.pictureUrl),
})

/** The draft of a picture: a file that is sent is looked at for its colours; a colour takes the text that is read on it. */
export function useDraft(picture: Picture, wordsOf: (misfit: { expected: string; actual: string }) => string) {
  const [draft, setDraft] = useState(() => draftOf(picture))
  const [sending, setSending] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const send = async (file: File) => {
    setProblem(null)
    setSending(file.name)
    try {
      const query = { fileName: file.name, bizTag: 'app_img' as const, size: file.size }
      const [stored] = (await fileCalls.uploadObject({ query, body: file })).urlsInfo
      if (!stored) return
      const misfit = pictureMisfit({ ...stored, sizeBytes: stored.size })
      if (misfit) return setProblem(wordsOf(misfit))
      const { objectId, url } = stored
      const { palette, dominantColor, textColor } = await api.getColours({ body: { objectId } })
      setDraft({ objectId, palette, dominantColor, textColor, src: ownAddress(url) })
    } catch (error) {
      if (!isCallError(error)) throw error
      setProblem(errorText(error))
    } finally {
      setSending(null)
    }
  }
  const chooseColour = (dominantColor: string) =>
    setDraft(before => ({ ...before, dominantColor, textColor: textColourOn(dominantColor) }))
  const isChanged = draft.objectId !== picture.objectId || draft.dominantColor !== picture.dominantColor
  return { draft, sending, problem, send, chooseColour, isChanged, accept: pictureLimits.mimes.join(',') }
}
