import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { declareApi } from '../version-calls.ts'
import { AiDialog } from './AiDialog.tsx'
import { ContactDialog } from './ContactDialog.tsx'

/** What the next version declares besides its listing: AI, and whom reviewers may ask. */
export function DeclarePanel({ appId }: { appId: string }) {
  const { t } = useTranslation('distribute/versions')
  const [open, setOpen] = useState<'ai' | 'contact' | null>(null)
  const found = useCall(declareApi.getAiContent, { query: { appId } })
  const said = found.data
  const types = said?.types.map(type => t(`declare.type.${type}`)).join(', ')
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Can call={declareApi.updateAiContent}>
              <Button ariaLabel={t('declare.edit')} disabled={!said} onClick={() => setOpen('ai')}>
                {t('content.change')}
              </Button>
            </Can>
          }
        >
          {t('declare.title')}
        </Header>
      }
    >
      <KeyValuePairs
        columns={1}
        items={[
          {
            label: t('declare.ai'),
            value: said?.involved ? t('declare.aiBy', { types, providers: said.providerNames }) : t('declare.aiNone'),
          },
          ...(said?.algorithmFilingNo ? [{ label: t('declare.filing'), value: said.algorithmFilingNo }] : []),
          {
            label: t('declare.contact'),
            value: (
              <Can call={declareApi.validateContact} otherwise="–">
                <Button variant="inline-link" onClick={() => setOpen('contact')}>
                  {t('declare.askContact')}
                </Button>
              </Can>
            ),
          },
        ]}
      />
      {open === 'ai' && said && <AiDialog said={said} onClose={() => setOpen(null)} />}
      {open === 'contact' && <ContactDialog appId={appId} onClose={() => setOpen(null)} />}
    </Container>
  )
}
