import { implement } from '../../../server/implement.ts'
import { developerSupport } from './contract.ts'
import { verifyContact } from './verification.ts'

export default implement(developerSupport, { verifyContact: (ctx, { body }) => verifyContact(ctx, body) })
