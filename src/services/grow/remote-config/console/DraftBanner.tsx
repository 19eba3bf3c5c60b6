import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { api, changesApi, releasesApi, type TabProps } from './config-calls.ts'
import { PublishDialog } from './PublishDialog.tsx'

/** Says that something waits to be published, and what to do about it. */
export function DraftBanner({ where, head }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const [open, setOpen] = useState<'publish' | 'discard' | null>(null)
  const rebase = useAction(api.rebaseDraft)
  const discard = useAction(api.discardDraft, { onDone: () => setOpen(null) })
  if (!head.isChanged) return null
  const isBehind = head.baseVersion !== head.version
  return (
    <>
      <Alert
        type={isBehind ? 'warning' : 'info'}
        header={t(isBehind ? 'draft.behind' : 'draft.waits')}
        action={
          <div className="lg-actions">
            <Can call={api.discardDraft}>
              <Button data-action="discardDraft" onClick={() => setOpen('discard')}>
                {t('draft.discard')}
              </Button>
            </Can>
            {isBehind ? (
              <Can call={api.rebaseDraft}>
                <Button
                  variant="primary"
                  data-action="rebaseDraft"
                  loading={rebase.isRunning}
                  onClick={() => void rebase.run({ body: { ...where, prefer: 'mine' } })}
                >
                  {t('draft.rebase')}
                </Button>
              </Can>
            ) : (
              <Can call={head.approvalsNeeded > 0 ? changesApi.createChangeRequest : releasesApi.publishDraft}>
                <Button variant="primary" data-action="publishDraft" onClick={() => setOpen('publish')}>
                  {t(head.approvalsNeeded > 0 ? 'publish.ask' : 'draft.publish')}
                </Button>
              </Can>
            )}
          </div>
        }
      >
        {t(isBehind ? 'draft.behindText' : 'draft.waitsText', { version: head.version })}
      </Alert>
      {open === 'publish' && <PublishDialog where={where} head={head} onClose={() => setOpen(null)} />}
      {open === 'discard' && (
        <DialogBox
          title={t('draft.discard')}
          verb={t('draft.discard')}
          action="discardDraft"
          isRunning={discard.isRunning}
          onClose={() => setOpen(null)}
          onSubmit={() => void discard.run({ query: where })}
        >
          {t('draft.discardText')}
        </DialogBox>
      )}
    </>
  )
}
