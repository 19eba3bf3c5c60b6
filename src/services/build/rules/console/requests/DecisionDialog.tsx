import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { SimulationView } from '../../contract.ts'
import { MatchedList } from '../MatchedList.tsx'
import { api, type Where } from '../rules-calls.ts'
import { SimulationResult } from '../SimulationResult.tsx'

interface DecisionDialogProps {
  where: Where
  decisionId: string
  /** What stands in the editor where it is not what is in force. */
  source: string | null
  onClose: () => void
}

/** One kept request: why it was decided so, and what the rules in force or the draft say to it now. */
export function DecisionDialog({ where, decisionId, source, onClose }: DecisionDialogProps) {
  const { t } = useTranslation('build/rules')
  const found = useCall(api.getDecision, { params: { decisionId }, query: where }, { staleTime: Infinity })
  const [replayed, setReplayed] = useState<{ by: 'published' | 'draft'; result: SimulationView } | null>(null)
  const replay = useAction(api.replayDecision, { invalidates: [] })
  const again = async (by: 'published' | 'draft') => {
    const body = by === 'draft' && source !== null ? { ...where, source } : where
    const result = await replay.run({ params: { decisionId }, body })
    if (result) setReplayed({ by, result })
  }
  const one = found.data
  return (
    <Modal
      visible
      size="large"
      header={t('decision.title')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              {t('close')}
            </Button>
            {source !== null && (
              <Button loading={replay.isRunning} data-action="replayDraft" onClick={() => void again('draft')}>
                {t('decision.replayDraft')}
              </Button>
            )}
            <Button
              variant="primary"
              loading={replay.isRunning}
              data-action="replayDecision"
              onClick={() => void again('published')}
            >
              {t('decision.replay')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      {found.error && <ErrorState error={found.error} />}
      {!one && !found.error && <StatusIndicator type="loading">{t('loading')}</StatusIndicator>}
      {one && (
        <SpaceBetween size="m">
          <div className="rules-decision">
            <StatusBadge
              tone={one.isAllowed ? 'good' : 'bad'}
              text={one.isAllowed ? t('decided.allowed') : t('decided.denied')}
            />
            <code translate="no">{`${one.method} ${one.path}`}</code>
            <When at={one.at} show="both" />
            <span className="lg-soft" translate="no">
              {decisionId}
            </span>
          </div>
          {replayed && (
            <section className="rules-replay" aria-label={t(`decision.by.${replayed.by}`)}>
              <Box variant="h3">{t(`decision.by.${replayed.by}`)}</Box>
              <SimulationResult result={replayed.result} />
            </section>
          )}
          <Box variant="h3">{t('decision.then', { version: one.version })}</Box>
          {one.matched.length === 0 ? (
            <Alert type="info">{t('decided.noMatch')}</Alert>
          ) : (
            <MatchedList matched={one.matched} />
          )}
          <ExpandableSection headerText={t('decision.request')}>
            <CodeEditor
              label={t('decision.request')}
              language="json"
              value={JSON.stringify(one.request, null, 2)}
              lines={{ least: 4, most: 20 }}
            />
          </ExpandableSection>
        </SpaceBetween>
      )}
    </Modal>
  )
}
