import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { imageProblem } from '../../images/rules.ts'
import { api, type FunctionView } from '../function-calls.ts'
import { ImageField } from '../ImageField.tsx'

/** The image that `$latest` runs from; the same name again takes what it leads to now. */
export function ImageBox({ of, image }: { of: FunctionView; image: { reference: string; digest: string } }) {
  const { t } = useTranslation('build/functions')
  const [reference, setReference] = useState(image.reference)
  const { functionId, revision } = of
  const deploy = useAction(api.updateCode, {
    errors: 'form',
    onDone: ({ function: now }) => {
      const isSame = now.config.image?.digest === image.digest
      notify({ tone: 'success', text: t(isSame ? 'image.same' : 'image.deployed') })
    },
  })
  const run = () => void deploy.run({ params: { functionId }, body: { revision, image: { reference } } })
  return (
    <Container header={<Header variant="h2">{t('image.label')}</Header>}>
      <SpaceBetween size="m">
        <KeyValuePairs
          items={[
            { label: t('image.reference'), value: <code translate="no">{image.reference}</code> },
            {
              label: t('image.digest'),
              value: (
                <code className="fn-digest" translate="no">
                  {image.digest}
                </code>
              ),
            },
          ]}
        />
        <Can call={api.updateCode}>
          <SpaceBetween size="m">
            <ImageField value={reference} onChange={setReference} />
            {deploy.error && (
              <Alert type="error" header={t('image.notDeployed')}>
                {errorText(deploy.error)}
              </Alert>
            )}
            <div className="lg-actions">
              <Button
                variant="primary"
                data-action="deploy"
                disabled={imageProblem(reference) !== null}
                loading={deploy.isRunning}
                onClick={run}
              >
                {t('image.deploy')}
              </Button>
            </div>
          </SpaceBetween>
        </Can>
      </SpaceBetween>
    </Container>
  )
}
