import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { testLimits } from '../../testing/rules.ts'
import { type TestGroupView, testsApi } from '../version-calls.ts'
import { refusalText } from '../version-words.ts'

/** Who is in a group, and a field to add more: one mail address a line. */
export function GroupPeople({ group, onClose }: { group: TestGroupView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { groupId, name } = group
  const [text, setText] = useState('')
  const [cursor, setCursor] = useState<string | null>(null)
  const query = { groupId, pageSize: 20, ...(cursor !== null && { cursor }) }
  const found = useCall(testsApi.listTestUsers, { query }, { keepBefore: true })
  const add = useAction(testsApi.addTestUsers, {
    errors: 'form',
    onDone: () => {
      setText('')
      setCursor(null)
    },
  })
  const remove = useAction(testsApi.removeTestUser)
  const accounts = text.split(/[\s,;]+/).filter(Boolean)
  const canAdd = accounts.length > 0 && accounts.length <= testLimits.usersAtOnce
  return (
    <Modal visible header={t('testers.peopleOf', { name })} onDismiss={onClose}>
      <SpaceBetween size="m">
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
        {found.data?.total === 0 && <p className="version-said">{t('testers.nobody')}</p>}
        <ul className="version-tests-people">
          {(found.data?.list ?? []).map(user => (
            <li key={user.userId}>
              <span translate="no">{user.account}</span>
              <StatusBadge
                tone={user.state === 'ACCEPTED' ? 'good' : user.state === 'ADDED' ? 'off' : 'waiting'}
                text={t(`testers.states.${user.state}`)}
              />
              <Can call={testsApi.removeTestUser}>
                <Button
                  variant="inline-link"
                  ariaLabel={`${t('testers.remove')}: ${user.account}`}
                  disabled={remove.isRunning}
                  onClick={() => void remove.run({ query: { userId: user.userId } })}
                >
                  {t('testers.remove')}
                </Button>
              </Can>
            </li>
          ))}
        </ul>
        {(cursor !== null || found.data?.nextCursor) && (
          <Button onClick={() => setCursor(found.data?.nextCursor ?? null)}>
            {found.data?.nextCursor ? t('testers.more') : t('testers.first')}
          </Button>
        )}
        <Can call={testsApi.addTestUsers}>
          <SpaceBetween size="s">
            <FormField label={t('testers.add')} constraintText={t('testers.addHint', { max: testLimits.usersAtOnce })}>
              <Textarea rows={3} value={text} onChange={({ detail }) => setText(detail.value)} />
            </FormField>
            {add.error && <Alert type="error">{refusalText(add.error)}</Alert>}
            <Button
              disabled={!canAdd}
              loading={add.isRunning}
              data-action="addUsers"
              onClick={() => void add.run({ body: { groupId, users: accounts.map(account => ({ account })) } })}
            >
              {t('testers.addThem')}
            </Button>
          </SpaceBetween>
        </Can>
      </SpaceBetween>
    </Modal>
  )
}
