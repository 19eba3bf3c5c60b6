import { joinsNow, servesNow } from './kept.ts'
import { Siblings } from './siblings.ts'

/** A further process of a test, that serves nothing: it answers what it is asked, and asks the others where it is told to. */
const siblings = new Siblings({ at: 1, of: 3 })
siblings.answer('pid', () => process.pid)
siblings.answer('pids of the others', () => siblings.ask('pid', null))
siblings.answer('pid of the first', () => siblings.askFirst('pid', null, 1000))
siblings.answer('nothing', () => new Promise(() => undefined))
siblings.answer('a fault', () => {
  throw new Error('of the answer')
})
siblings.join(process)
process.once('disconnect', () => process.exit(0))
if (process.env['NEVER_SERVES'] === '1') process.exit(3)
process.send?.(joinsNow)
process.send?.(servesNow)
