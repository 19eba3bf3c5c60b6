import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallError, isCallError } from '../../../../../console/call-error.ts'
import { feedbackMost } from '../../../beta-test/tester/contract.ts'
import { testerApi } from '../store-calls.ts'
import { refusalOf } from './refusal.ts'

const { screenshots: most, kinds } = feedbackMost
type Extension = (typeof kinds)[number]

export interface SentPicture {
  objectId: string
  /** As the browser has it, to be looked at. */
  address: string
}

interface PictureFieldProps {
  token: string
  versionId: string
  pictures: SentPicture[]
  onChange: (pictures: SentPicture[]) => void
}

/** Pictures for a feedback: each is sent as soon as it is chosen. */
export function PictureField({ token, versionId, pictures, onChange }: PictureFieldProps) {
  const { t } = useTranslation('distribute/store')
  const id = useId()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<CallError | null>(null)
  const take = async (files: File[]) => {
    setRunning(true)
    setError(null)
    const sent = [...pictures]
    try {
      for (const file of files.slice(0, most - sent.length)) {
        const extension = extensionOf(file)
        const { ticket } = await testerApi.makePictureTicket({ body: { token, versionId, extension } })
        const form = new FormData()
        form.set('file', file, `picture.${extension}`)
        const { objectId } = await testerApi.sendPicture({ params: { ticket }, body: form })
        sent.push({ objectId, address: URL.createObjectURL(file) })
        onChange([...sent])
      }
    } catch (caught) {
      if (!isCallError(caught)) throw caught
      setError(caught)
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      {pictures.length > 0 && (
        <ul className="open-test-shots">
          {pictures.map(({ objectId, address }, at) => (
            <li key={objectId}>
              <img src={address} alt={t('openTest.shot', { number: at + 1 })} />
              <button
                type="button"
                aria-label={t('openTest.removeShot', { number: at + 1 })}
                onClick={() => onChange(pictures.filter(one => one.objectId !== objectId))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {pictures.length < most && (
        <>
          <input
            id={id}
            type="file"
            className="lg-unseen"
            accept="image/png,image/jpeg,image/webp"
            multiple
            disabled={isRunning}
            aria-describedby={`${id}-hint`}
            onChange={event => {
              const files = [...(event.target.files ?? [])]
              event.target.value = ''
              void take(files)
            }}
          />
          <label htmlFor={id} className="open-test-quiet" data-action="addPictures">
            {isRunning ? t('state.loading') : t('openTest.addShots')}
          </label>
          <span id={`${id}-hint`} className="open-test-soft">
            {t('openTest.shotsHint', { count: most })}
          </span>
        </>
      )}
      {error && <p role="alert">{refusalOf(t, error)}</p>}
    </>
  )
}

function extensionOf(file: File): Extension {
  const wanted = file.type.replace('image/', '').replace('jpeg', 'jpg')
  return kinds.find(kind => kind === wanted) ?? 'png'
}
