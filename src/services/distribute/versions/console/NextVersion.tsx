import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { api } from './version-calls.ts'

/** Opens the next version; the page of the open version then shows it. */
export function NextVersion({ appId }: { appId: string }) {
  const { t } = useTranslation('distribute/versions')
  const go = useGo()
  const act = useAction(api.createVersion, { onDone: () => go('/apps/$appId/version', { appId }) })
  return (
    <Can call={api.createVersion}>
      <Button variant="primary" loading={act.isRunning} onClick={() => void act.run({ body: { appId } })}>
        {t('version.next')}
      </Button>
    </Can>
  )
}
