/** An account as others may see it. */
export interface Account {
  accountId: string
  loginName: string
  name: string
  status: number
  staffRoles: string[]
  homeTeamId: string | null
  siteId: number
}
