import { client } from '../../../../../console/client.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import { appTransfer, type Move } from '../../transfer/contract.ts'

export const moveCalls = client(appTransfer)

export type MoveView = Static<typeof Move>
