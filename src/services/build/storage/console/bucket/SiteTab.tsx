import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import { type JobView, ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { cachePatternProblem } from '../../rules.ts'
import { api, hostingApi, type SiteView, useGeneration } from '../storage-calls.ts'
import { CacheRules } from './CacheRules.tsx'

const tones = { DISABLED: 'off', ACTIVE: 'good', REFRESHING: 'running', FAILED: 'bad' } as const

/** The site that a bucket is, if it is one. */
export function SiteTab({ bucketId }: { bucketId: string }) {
  const calls = useGeneration()
  const found = useCall(calls.queryCDN, { body: { bucketId } }, { refetchInterval: 5_000 })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  return <SiteForm key={found.data.revision} site={found.data} />
}

function SiteForm({ site }: { site: SiteView }) {
  const { t } = useTranslation('build/storage')
  const [isOpen, setOpen] = useState(site.state !== 'DISABLED')
  const [indexDoc, setIndexDoc] = useState(site.indexDoc)
  const [errorDoc, setErrorDoc] = useState(site.errorDoc ?? '')
  const [isSinglePage, setSinglePage] = useState(site.spaFallback)
  const [cacheRules, setCacheRules] = useState(site.cacheRules)
  const [jobId, setJobId] = useState<string | null>(null)
  const save = useAction(hostingApi.updateSite, { errors: 'form' })
  const refresh = useAction(hostingApi.refreshCDN)
  const { bucketId, revision, state } = site
  const submit = () =>
    save.run({
      body: {
        bucketId,
        enabled: isOpen,
        indexDoc,
        errorDoc: errorDoc === '' ? null : errorDoc,
        spaFallback: isSinglePage,
        cacheRules,
        ...(revision === null ? {} : { revision }),
      },
    })
  const refreshAll = async () => {
    const begun = await refresh.run({ body: { bucketId, prefix: '' } })
    if (begun) setJobId(begun.jobId)
  }
  return (
    <SpaceBetween size="l">
      {jobId !== null && (
        <ProgressOfJob
          label={t('site.refreshing')}
          call={api.queryJob}
          input={{ body: { jobId, kind: 'storage.refreshSite' } }}
          read={job => ({
            state: { queued: 'waiting', running: 'running', done: 'done', failed: 'failed', canceled: 'failed' }[
              job.state
            ] as JobView['state'],
            percent: job.percent,
          })}
        />
      )}
      <Container
        header={
          <Header
            variant="h2"
            description={t('site.text')}
            info={<StatusBadge tone={tones[state]} text={t(`siteStates.${state}`)} />}
            actions={
              state !== 'DISABLED' && (
                <Can call={hostingApi.refreshCDN}>
                  <Button data-action="refresh-site" loading={refresh.isRunning} onClick={() => void refreshAll()}>
                    {t('site.refresh')}
                  </Button>
                </Can>
              )
            }
          >
            {t('bucketTabs.site')}
          </Header>
        }
      >
        <SpaceBetween size="m">
          {!site.hasOwnOrigin && <Alert type="info">{t('site.noOrigin')}</Alert>}
          <Toggle checked={isOpen} description={t('site.openHint')} onChange={({ detail }) => setOpen(detail.checked)}>
            {t('site.open')}
          </Toggle>
          <FormField label={t('site.index')}>
            <Input value={indexDoc} onChange={({ detail }) => setIndexDoc(detail.value)} />
          </FormField>
          <FormField label={t('site.error')} description={t('site.errorHint')}>
            <Input value={errorDoc} placeholder="404.html" onChange={({ detail }) => setErrorDoc(detail.value)} />
          </FormField>
          <Checkbox
            checked={isSinglePage}
            description={t('site.singleHint')}
            onChange={({ detail }) => setSinglePage(detail.checked)}
          >
            {t('site.single')}
          </Checkbox>
          <FormField label={t('cache.title')} description={t('cache.hint')} stretch>
            <CacheRules bucketId={bucketId} rules={cacheRules} onChange={setCacheRules} />
          </FormField>
          {save.error && <Alert type="error">{errorText(save.error)}</Alert>}
          <Can call={hostingApi.updateSite}>
            <Button
              variant="primary"
              data-action="save-site"
              loading={save.isRunning}
              disabled={indexDoc.trim() === '' || cacheRules.some(rule => cachePatternProblem(rule.pattern) !== null)}
              onClick={() => void submit()}
            >
              {t('save')}
            </Button>
          </Can>
        </SpaceBetween>
      </Container>
      {state !== 'DISABLED' && (
        <Container header={<Header variant="h2">{t('site.addresses')}</Header>}>
          <ul translate="no">
            {site.addresses.map(address => (
              <li key={address} className="storage-path">
                <OutsideLink href={address}>{address}</OutsideLink>
              </li>
            ))}
          </ul>
        </Container>
      )}
      {site.refreshes.length > 0 && (
        <Container header={<Header variant="h2">{t('site.refreshes')}</Header>}>
          <ul>
            {site.refreshes.map(one => (
              <li key={one.refreshId}>
                <When at={one.at} show="both" /> <span translate="no">{one.paths.join(', ')}</span>{' '}
                {t(one.doneAt === null ? 'site.running' : 'site.done')}
              </li>
            ))}
          </ul>
        </Container>
      )}
    </SpaceBetween>
  )
}
