import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import type { AppView } from './app-calls.ts'
import { nextStepOf, steps } from './next-step.ts'

/** What brings this app on, in one sentence and one button. */
export function NextStepBox({ app }: { app: AppView }) {
  const { t } = useTranslation('distribute/apps')
  const step = nextStepOf(app)
  const { to } = steps[step]
  if (step === 'frozen') return null
  return (
    <Container>
      <div className="apps-next">
        <div>
          <Box variant="h2" fontSize="heading-m">
            {t(`next.${step}.title`)}
          </Box>
          <Box color="text-body-secondary">{t(`next.${step}.text`)}</Box>
        </div>
        <Button variant="primary" href={hrefOf(to, { appId: app.appId })}>
          {t(`next.${step}.go`)}
        </Button>
      </div>
    </Container>
  )
}
