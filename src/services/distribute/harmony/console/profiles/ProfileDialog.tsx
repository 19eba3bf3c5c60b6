import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { saveFile } from '../../../../../console/save-file.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ProfileDetail, ProfileView } from '../../profiles/contract.ts'
import { profilesApi, toneOfState } from '../harmony-calls.ts'
import { ProfileForm } from './ProfileForm.tsx'

/** A profile: what it holds for, its file, and issuing it anew. */
export function ProfileDialog({ profile, onClose }: { profile: ProfileView; onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const { id, provisionName, allowedActions, revision } = profile
  const detail = useCall(profilesApi.getProfile, { params: { id } })
  const refresh = useAction(profilesApi.refreshProfile, {
    onDone: () => notify({ tone: 'success', text: t('profiles.refreshed') }),
  })
  const remove = useAction(profilesApi.deleteProfile, { onDone: onClose })
  if (open === 'edit' && detail.data) return <ProfileForm profile={detail.data} onClose={() => setOpen(null)} />
  if (open === 'delete') {
    return (
      <ConfirmByName
        title={t('profiles.deleteTitle', { name: provisionName })}
        name={provisionName}
        verb={t('profiles.delete')}
        isRunning={remove.isRunning}
        onConfirm={() => void remove.run({ query: { id } })}
        onCancel={() => setOpen(null)}
      >
        {t('profiles.deleteText')}
      </ConfirmByName>
    )
  }
  return (
    <Modal
      visible
      size="large"
      header={<span translate="no">{provisionName}</span>}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {allowedActions.includes('delete') && (
              <Button data-action="delete" onClick={() => setOpen('delete')}>
                {t('profiles.delete')}
              </Button>
            )}
            {allowedActions.includes('refresh') && (
              <Button
                data-action="refresh"
                iconName="refresh"
                loading={refresh.isRunning}
                onClick={() => void refresh.run({ body: { id, revision } })}
              >
                {t('profiles.refresh')}
              </Button>
            )}
            {allowedActions.includes('edit') && (
              <Button data-action="edit" disabled={!detail.data} onClick={() => setOpen('edit')}>
                {t('profiles.edit')}
              </Button>
            )}
            <Button
              variant="primary"
              iconName="download"
              onClick={() => void saveFile(profilesApi.downloadProfile.raw({ params: { id } }), `${provisionName}.p7b`)}
            >
              {t('download')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      {detail.error && <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />}
      {detail.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {detail.data && <Facts profile={detail.data} />}
    </Modal>
  )
}

function Facts({ profile }: { profile: ProfileDetail }) {
  const { t } = useTranslation('distribute/harmony')
  return (
    <KeyValuePairs
      columns={2}
      minColumnWidth={240}
      items={[
        {
          label: t('profiles.app'),
          value: <span translate="no">{`${profile.appName} · ${profile.packageName}`}</span>,
        },
        { label: t('type'), value: t(`profileTypes.${profile.provisionType}`) },
        {
          label: t('profiles.cert'),
          value: (
            <>
              <span translate="no">{profile.certName}</span>
              <StatusBadge tone={toneOfState[profile.certState]} text={t(`states.${profile.certState}`)} />
            </>
          ),
        },
        {
          label: t('state'),
          value: (
            <>
              <StatusBadge tone={toneOfState[profile.state]} text={t(`states.${profile.state}`)} />
              {profile.invalidReason !== null && <div className="lg-soft">{t(`reasons.${profile.invalidReason}`)}</div>}
            </>
          ),
        },
        {
          label: t('profiles.valid'),
          value: (
            <>
              <When at={profile.issueTime} /> – <When at={profile.expireTime} />
            </>
          ),
        },
        { label: t('tabs.devices'), value: profile.deviceCount || t('profiles.everyDevice') },
        {
          label: 'UUID',
          value: (
            <span className="harmony-mono" translate="no">
              {profile.uuid}
            </span>
          ),
        },
      ]}
    />
  )
}
