import Alert from '@cloudscape-design/components/alert'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { readPeople } from '../../people/rules.ts'
import { limits } from '../../rules.ts'
import { peopleApi } from '../beta-calls.ts'

interface ImportPeopleProps {
  appId: string
  /** Left out, each line of the file names its group. */
  groupId?: string
  onClose: () => void
}

/** Adds the people of a CSV file; what stands in it is said before it is sent. */
export function ImportPeople({ appId, groupId, onClose }: ImportPeopleProps) {
  const { t } = useTranslation('distribute/beta-test')
  const go = useGo()
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const onDone = ({ bulkId }: { bulkId: string }) => {
    onClose()
    go('/apps/$appId/tester-imports/$bulkId', { appId, bulkId })
  }
  const ofGroup = useAction(peopleApi.importGroupUsers, { errors: 'form', onDone })
  const ofApp = useAction(peopleApi.importUsers, { errors: 'form', onDone })
  const act = groupId === undefined ? ofApp : ofGroup
  const read = file && readPeople(file.csv, groupId === undefined)
  const found = read && 'people' in read ? read.people.length : 0
  const isFit = found > 0 && found <= limits.importRows && (file?.csv.length ?? 0) <= limits.importLength
  const run = () => {
    if (!file) return
    if (groupId === undefined) return ofApp.run({ body: { appId, csv: file.csv } })
    return ofGroup.run({ params: { groupId }, body: { csv: file.csv } })
  }
  return (
    <DialogBox
      title={t('import.title')}
      verb={t('import.verb')}
      isRunning={act.isRunning}
      canSubmit={isFit}
      refusal={act.error && errorText(act.error)}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <p className="beta-said">{groupId === undefined ? t('import.textGroups') : t('import.text')}</p>
      <code className="beta-link">{groupId === undefined ? 'account,nickname,group' : 'account,nickname'}</code>
      <FileDrop
        label={file?.name ?? t('import.choose')}
        hint={t('import.hint', { count: limits.importRows })}
        accept=".csv,text/csv"
        onFiles={([chosen]) => void chosen?.text().then(csv => setFile({ name: chosen.name, csv }))}
      />
      {read && 'fault' in read && <Alert type="error">{t(`import.faults.${read.fault}`)}</Alert>}
      {found > 0 && !isFit && <Alert type="error">{t('import.tooLong', { count: limits.importRows })}</Alert>}
      {isFit && <Alert type="info">{t('import.found', { count: found })}</Alert>}
      <Link href={hrefOf('/apps/$appId/tester-imports', { appId })}>{t('import.all')}</Link>
    </DialogBox>
  )
}
