import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { announcements } from '../announcements/contract.ts'
import { billboard } from '../billboard/contract.ts'
import { menu } from '../contract.ts'
import { menuOperations } from '../operations/contract.ts'

export const api = client(menu)
export const news = client(announcements)
export const board = client(billboard)
export const operations = client(menuOperations)

export type ServiceView = Answer<typeof menu.calls.getServiceCatalog>['list'][number]
export type FavoriteView = Answer<typeof menu.calls.listFavorites>['list'][number]
export type WrittenView = Answer<typeof announcements.calls.writeAnnouncement>
export type SlotView = Answer<typeof billboard.calls.createSlot>
export type SwitchView = Answer<typeof menuOperations.calls.setSwitch>
export type GroupView = Answer<typeof menuOperations.calls.getGroup>
export type GroupTeamView = Answer<typeof menuOperations.calls.listGroupTeams>['list'][number]
export type TagSetView = Answer<typeof menu.calls.createTagSet>
export type SupportView = Answer<typeof menu.calls.applyForSupport>
export type StaffSupportView = Answer<typeof menuOperations.calls.listSupport>['list'][number]
