import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { announcements } from '../announcements/contract.ts'
import { billboard } from '../billboard/contract.ts'
import { menu } from '../contract.ts'

export const api = client(menu)
export const news = client(announcements)
export const board = client(billboard)

export type ServiceView = Answer<typeof menu.calls.getServiceCatalog>['list'][number]
export type FavoriteView = Answer<typeof menu.calls.listFavorites>['list'][number]
export type WrittenView = Answer<typeof announcements.calls.writeAnnouncement>
export type SlotView = Answer<typeof billboard.calls.createSlot>
