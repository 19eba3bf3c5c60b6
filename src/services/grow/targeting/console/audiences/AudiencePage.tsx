import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo, usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { queryClient, useCall } from '../../../../../console/use-call.ts'
import { useEndOfJob } from '../../../../../console/use-end-of-job.ts'
import { audiencesApi } from '../targeting-calls.ts'
import { AudienceRule } from './AudienceRule.tsx'
import { AudienceState } from './AudienceState.tsx'
import { MemberList } from './MemberList.tsx'
import { SizeBox } from './SizeBox.tsx'
import { UploadBox } from './UploadBox.tsx'

const changing: readonly unknown[] = [audiencesApi.listMembers.callName, audiencesApi.getAudienceSizes.callName]
const forgetMembers = () => queryClient.invalidateQueries({ predicate: query => changing.includes(query.queryKey[1]) })

/** One audience: its rule or its uploads, how large it is, and who is in it. */
export default function AudiencePage() {
  const { t, i18n } = useTranslation('grow/targeting')
  const go = useGo()
  const params = { audienceId: usePageParam('audienceId') }
  const result = useCall(audiencesApi.getAudience, { params })
  const [isLeaving, setLeaving] = useState(false)
  const refresh = useAction(audiencesApi.refreshAudience)
  const remove = useAction(audiencesApi.deleteAudience, {
    onDone: () => go('/targeting', {}, { projectId: result.data?.projectId ?? '', tab: 'audiences' }),
  })
  useEndOfJob(result.data?.jobId, result.data?.work?.state, () => void forgetMembers())
  usePageTitle(result.data?.name)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const audience = result.data
  const { name, type, refreshEvery, size, refreshedAt, nextRefreshAt, createdAt, problem, jobId, work } = audience
  const keepsMembers = refreshEvery !== 'realtime'
  const isWorking = work !== null && (work.state === 'waiting' || work.state === 'running')
  const actions = (
    <>
      <Can call={audiencesApi.deleteAudience}>
        <Button data-action="delete" onClick={() => setLeaving(true)}>
          {t('delete')}
        </Button>
      </Can>
      {type === 'DYNAMIC' && keepsMembers && (
        <Can call={audiencesApi.refreshAudience}>
          <Button
            data-action="refresh"
            disabled={isWorking}
            loading={refresh.isRunning}
            onClick={() => void refresh.run({ params })}
          >
            {t('audiences.refresh')}
          </Button>
        </Can>
      )}
    </>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={name}
        description={audience.description}
        status={<AudienceState audience={audience} />}
        actions={actions}
      />
      {problem !== null && (
        <Alert type="error" header={t('audiences.failed')}>
          {problem}
        </Alert>
      )}
      {isWorking && (
        <ProgressOfJob
          key={jobId}
          label={t('audiences.working')}
          call={audiencesApi.getAudience}
          input={{ params }}
          read={answer => ({ state: answer.work?.state ?? 'done', percent: answer.work?.percent ?? null })}
        />
      )}
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            { label: t('audiences.type'), value: t(`types.${type}`) },
            { label: t('audiences.size'), value: keepsMembers ? size.toLocaleString(i18n.resolvedLanguage) : '–' },
            { label: t('audiences.refreshedAt'), value: refreshedAt === null ? '–' : <When at={refreshedAt} /> },
            ...(nextRefreshAt === null
              ? []
              : [{ label: t('audiences.nextRefreshAt'), value: <When at={nextRefreshAt} /> }]),
            { label: t('audiences.createdAt'), value: <When at={createdAt} /> },
          ]}
        />
      </Container>
      {keepsMembers && <SizeBox audienceId={audience.audienceId} />}
      {type === 'DYNAMIC' && <AudienceRule key={audience.revision} audience={audience} />}
      {type === 'STATIC' && may('targeting.edit') && <UploadBox audienceId={audience.audienceId} />}
      {keepsMembers && may('targeting.edit') && <MemberList audienceId={audience.audienceId} />}
      {isLeaving && (
        <ConfirmByName
          title={t('audiences.deleteTitle', { name })}
          name={name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params })}
          onCancel={() => setLeaving(false)}
        >
          {t('audiences.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
