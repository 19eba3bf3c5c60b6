import type { Stage } from '../../../testkit/stage.ts'

/** The secret behind the page that was mailed to somebody last. */
export async function tokenMailedTo(stage: Stage, account: string): Promise<string> {
  const mail = (await stage.mails()).findLast(one => one.to === account)
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`${account} was not mailed a page`)
  return token
}
