import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import type { SigningView } from '../contract.ts'
import type { OpenDialog } from './signing-calls.ts'

const order = ['discard', 'rotate', 'import', 'generate'] as const

/** What may be done with the key that signs, as the server says; and from when on it may be rotated. */
export function KeyButtons({ one, onOpen }: { one: SigningView; onOpen: (dialog: OpenDialog) => void }) {
  const { t } = useTranslation('distribute/signing')
  const shown = order.filter(action => one.allowedActions.includes(action))
  const waits = one.mode === 'STORE' && !shown.includes('rotate') && one.nextRotationAllowedAt !== null
  return (
    <>
      {waits && (
        <span className="lg-soft">
          {t('rotation.next')} <When at={one.nextRotationAllowedAt} />
        </span>
      )}
      {shown.map(action => (
        <Button
          key={action}
          data-action={action}
          variant={action === 'generate' ? 'primary' : 'normal'}
          onClick={() => onOpen(action)}
        >
          {t(`actions.${action}`)}
        </Button>
      ))}
    </>
  )
}
