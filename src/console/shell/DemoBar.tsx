import Button from '@cloudscape-design/components/button'
import Flashbar from '@cloudscape-design/components/flashbar'
import { useTranslation } from 'react-i18next'
import { leaveDemo } from '../demo.ts'

/** Above every page of the demo project: what it is, and the way in. */
export default function DemoBar() {
  const { t } = useTranslation()
  return (
    <Flashbar
      items={[
        {
          id: 'demo',
          type: 'info',
          content: t('demo.text'),
          action: (
            <Button data-action="sign-in" onClick={leaveDemo}>
              {t('demo.signIn')}
            </Button>
          ),
        },
      ]}
    />
  )
}
