import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { groupedByService } from './permission-groups.ts'
import { explainApi, roleApi, scopeApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

interface ExplainProps {
  /** Left out, it is about the reader. */
  member?: { accountId: string; name: string }
  onClose: () => void
}

/** Why somebody may or may not do something: the role and scope that give it, or what is missing. */
export function Explain({ member, onClose }: ExplainProps) {
  const { t } = useTranslation('ground/teams')
  const [code, setCode] = useState<string | null>(null)
  const [resource, setResource] = useState<{ value: string; label: string } | null>(null)
  const [search, setSearch] = useState('')
  const permissions = useCall(roleApi.listPermissions, {})
  const things = useCall(scopeApi.listScopes, { query: { search, pageSize: 50 } }, { keepBefore: true })
  const nameOf = (permission: string) => t(`permissions.${permission.replace('.', '_')}`, { defaultValue: permission })
  const options = groupedByService((permissions.data?.list ?? []).map(one => one.permission)).map(
    ([group, inGroup]) => ({
      label: t(`permissionGroups.${group}`, { defaultValue: group }),
      options: inGroup.map(value => ({ value, label: nameOf(value) })),
    }),
  )
  return (
    <Modal
      visible
      size="medium"
      header={member ? t('explain.titleOf', { name: member.name }) : t('explain.title')}
      onDismiss={onClose}
    >
      <SpaceBetween size="l">
        <FormField label={t('explain.what')}>
          <Select
            options={options}
            selectedOption={code ? { value: code, label: nameOf(code) } : null}
            placeholder={t('explain.choose')}
            filteringType="auto"
            expandToViewport
            onChange={({ detail }) => setCode(detail.selectedOption.value ?? null)}
          />
        </FormField>
        <FormField label={t('explain.where')}>
          <Select
            options={[
              { value: '', label: t('explain.anywhere') },
              ...(things.data?.list ?? []).map(one => ({
                value: one.id,
                label: one.name || one.id,
                tags: [t(`scope.${one.kind}`)],
              })),
            ]}
            selectedOption={resource ?? { value: '', label: t('explain.anywhere') }}
            filteringType="manual"
            expandToViewport
            onLoadItems={({ detail }) => setSearch(detail.filteringText.slice(0, 64))}
            onChange={({ detail }) => {
              const { value, label = '' } = detail.selectedOption
              setResource(value ? { value, label } : null)
            }}
          />
        </FormField>
        {code && <Answer code={code} resource={resource?.value} accountId={member?.accountId} />}
      </SpaceBetween>
    </Modal>
  )
}

interface AnswerProps {
  code: string
  resource: string | undefined
  accountId: string | undefined
}

function Answer({ code, resource, accountId }: AnswerProps) {
  const { t } = useTranslation('ground/teams')
  const { nameOf } = useRoles()
  const query = { code, ...(resource && { resource }), ...(accountId && { accountId }) }
  const { data, error, refetch } = useCall(explainApi.explainPermission, { query }, { staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const rolesOf = (roles: readonly { role: string; name: string | null }[]) =>
    roles.map(one => one.name ?? nameOf(one.role)).join(', ')
  return (
    <div aria-live="polite">
      <StatusIndicator type={data.allowed ? 'success' : 'stopped'}>
        {t(`explain.reasons.${data.reason}`)}
      </StatusIndicator>
      <Box variant="p">
        {data.reason === 'granted' && t('explain.by', { roles: rolesOf(data.grantedBy) })}
        {data.reason === 'noRole' && t('explain.would', { roles: rolesOf(data.wouldGrant) })}
        {data.reason === 'outOfScope' &&
          t('explain.scopeLacks', { roles: rolesOf(data.grantedBy), thing: data.resource?.name ?? '' })}
      </Box>
      {data.coveredBy && data.resource && <Box variant="p">{t(`explain.covered.${data.coveredBy}`)}</Box>}
      {!data.allowed && <Box variant="p">{t('explain.ask', { name: data.leaderName })}</Box>}
    </div>
  )
}
