import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeskImage } from './DeskImage.tsx'

export interface Shot {
  objectId: string
  width: number
  height: number
  label: string
}

/** Screenshots as small pictures; one opens all of them large, moved through by button or arrow key. */
export function ScreenshotViewer({ taskId, shots }: { taskId: string; shots: readonly Shot[] }) {
  const { t } = useTranslation('distribute/review')
  const [at, setAt] = useState<number | null>(null)
  const shown = at === null ? undefined : shots[at]
  const step = (by: number) => setAt(now => (now === null ? null : (now + by + shots.length) % shots.length))
  const isOpen = at !== null
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') step(1)
    if (event.key === 'ArrowLeft') step(-1)
  })
  useEffect(() => {
    if (!isOpen) return
    const keys = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', keys)
    return () => document.removeEventListener('keydown', keys)
  }, [isOpen])
  return (
    <>
      <ul className="review-shots">
        {shots.map((shot, index) => (
          <li key={shot.label}>
            <button type="button" onClick={() => setAt(index)} aria-label={t('shots.open', { name: shot.label })}>
              <DeskImage taskId={taskId} objectId={shot.objectId} alt="" />
            </button>
          </li>
        ))}
      </ul>
      {shown && at !== null && (
        <Modal
          visible
          size="large"
          header={t('shots.title', { name: shown.label, number: at + 1, total: shots.length })}
          onDismiss={() => setAt(null)}
          footer={
            <Box float="right">
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="angle-left" onClick={() => step(-1)}>
                  {t('shots.back')}
                </Button>
                <Button iconName="angle-right" iconAlign="right" variant="primary" onClick={() => step(1)}>
                  {t('shots.next')}
                </Button>
              </SpaceBetween>
            </Box>
          }
        >
          <div className="review-viewer">
            <DeskImage taskId={taskId} objectId={shown.objectId} alt={shown.label} />
            <span className="lg-soft">
              {shown.width} × {shown.height}
            </span>
          </div>
        </Modal>
      )}
    </>
  )
}
