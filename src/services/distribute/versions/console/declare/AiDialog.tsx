import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../../console/use-action.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { versionDeclarations } from '../../declarations/contract.ts'
import { aiContentTypes, isAiContentRight } from '../../declarations/rules.ts'
import { limits } from '../../rules.ts'
import { EditDialog } from '../EditDialog.tsx'
import { declareApi } from '../version-calls.ts'

type Said = Answer<(typeof versionDeclarations.calls)['getAiContent']>

/** Whether AI makes what the app shows, in what form, and whose model it is. */
export function AiDialog({ said, onClose }: { said: Said; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, updatedAt, revision } = said
  const [wish, setWish] = useState({ ...said, types: [...said.types] })
  const act = useAction(declareApi.updateAiContent, { errors: 'form', onDone: onClose })
  const { involved, types, providerNames, algorithmFilingNo } = wish
  const toggle = (type: number, isOn: boolean) =>
    setWish({ ...wish, types: isOn ? [...types, type].sort() : types.filter(one => one !== type) })
  const body = involved
    ? { appId, involved, types, providerNames, algorithmFilingNo }
    : { appId, involved, types: [], providerNames: '', algorithmFilingNo: '' }
  return (
    <EditDialog
      title={t('declare.ai')}
      isRunning={act.isRunning}
      canSubmit={isAiContentRight(body)}
      error={act.error}
      onSubmit={() => void act.run({ body: { ...body, ...(updatedAt === null ? {} : { revision }) } })}
      onClose={onClose}
    >
      <Checkbox checked={involved} onChange={({ detail }) => setWish({ ...wish, involved: detail.checked })}>
        {t('declare.involved')}
      </Checkbox>
      {involved && (
        <>
          <FormField label={t('declare.types')}>
            <SpaceBetween size="xs">
              {aiContentTypes.map(type => (
                <Checkbox
                  key={type}
                  checked={types.includes(type)}
                  onChange={({ detail }) => toggle(type, detail.checked)}
                >
                  {t(`declare.type.${type}`)}
                </Checkbox>
              ))}
            </SpaceBetween>
          </FormField>
          <FormField label={t('declare.providers')}>
            <Input
              value={providerNames}
              nativeInputAttributes={{ maxLength: limits.aiProviderLength }}
              onChange={({ detail }) => setWish({ ...wish, providerNames: detail.value })}
            />
          </FormField>
          <FormField label={t('declare.filing')}>
            <Input
              value={algorithmFilingNo}
              nativeInputAttributes={{ maxLength: limits.aiFilingLength }}
              onChange={({ detail }) => setWish({ ...wish, algorithmFilingNo: detail.value })}
            />
          </FormField>
        </>
      )}
    </EditDialog>
  )
}
