import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { serviceApi } from '../project-calls.ts'

/** What is still to be agreed to; nothing once it is. */
export function Agreements({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('ground/projects')
  const result = useCall(serviceApi.listAgreements, { query: { projectId } })
  const sign = useAction(serviceApi.signAgreement)
  const open = result.data?.list.filter(one => !one.isSigned) ?? []
  return (
    <SpaceBetween size="s">
      {open.map(({ agreementId, version, name }) => (
        <Alert
          key={agreementId}
          type="info"
          action={
            <Can call={serviceApi.signAgreement}>
              <Button
                data-action="sign-agreement"
                loading={sign.isRunning}
                onClick={() => void sign.run({ body: { projectId, agreementId, version } })}
              >
                {t('services.agree')}
              </Button>
            </Can>
          }
        >
          {t('services.agreement', { name: name[i18n.resolvedLanguage as Language] })}
        </Alert>
      ))}
    </SpaceBetween>
  )
}
