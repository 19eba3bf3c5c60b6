import { shownLanguage } from '../../../../console/shown.ts'
import './app-check.css'
import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { saveFile } from '../../../../console/save-file.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { api, toneOfCheck } from './check-calls.ts'
import { ItemList } from './ItemList.tsx'

const formats = [
  { id: 'html', text: 'HTML' },
  { id: 'json', text: 'JSON' },
] as const

/** What each rule found in a package, the worst first. */
export default function CheckPage() {
  const checkId = usePageParam('checkId')
  const { t } = useTranslation('distribute/app-check')
  const found = useCall(api.getCheck, { query: { checkId } }, { refetchInterval: 3_000 })
  const [isDoomed, setDoomed] = useState(false)
  const remove = useAction(api.deleteCheck, {
    onDone: () => window.location.assign(hrefOf('/checks')),
  })
  const check = found.data
  usePageTitle(check && `${check.appName} ${check.versionName ?? ''}`)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!check) return <PendingPage />
  const isOver = check.finishedAt !== null
  const save = (format: 'html' | 'json') =>
    void saveFile(
      api.getReport.raw({ params: { checkId }, query: { format, language: shownLanguage() } }),
      `check.${format}`,
    )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('reportOf', { app: check.appName })}
        description={
          <span translate="no">
            {check.packageName ?? check.fileName} · {check.versionName ?? '–'} ({check.versionCode ?? '–'})
          </span>
        }
        status={<StatusBadge tone={toneOfCheck[check.state]} text={t(`states.${check.state}`)} />}
        actions={
          <>
            <Link href={hrefOf('/apps/$appId/fit', { appId: check.appId })}>{t('toFit')}</Link>
            {isOver && (
              <ButtonDropdown items={formats} onItemClick={({ detail }) => save(detail.id as 'html')} expandToViewport>
                {t('download')}
              </ButtonDropdown>
            )}
            {check.allowedActions.includes('delete') && (
              <Button data-action="delete" onClick={() => setDoomed(true)}>
                {t('remove.verb')}
              </Button>
            )}
          </>
        }
      />
      {!isOver && (
        <ProgressBar value={check.percent} label={t('running')} description={t(`steps.${check.step ?? 'waiting'}`)} />
      )}
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            { label: t('results.BLOCK'), value: check.counts.BLOCK },
            { label: t('results.WARN'), value: check.counts.WARN },
            { label: t('results.PASS'), value: check.counts.PASS },
            { label: t('finished'), value: isOver ? <When at={check.finishedAt} /> : '–' },
          ]}
        />
      </Container>
      {isOver && <ItemList items={check.items} />}
      {isDoomed && (
        <DialogBox
          title={t('remove.title')}
          verb={t('remove.verb')}
          action="delete"
          isRunning={remove.isRunning}
          onClose={() => setDoomed(false)}
          onSubmit={() => void remove.run({ params: { id: checkId } })}
        >
          {t('remove.text')}
        </DialogBox>
      )}
    </SpaceBetween>
  )
}
