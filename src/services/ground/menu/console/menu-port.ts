import type { MenuPort } from '../../../../console/menu-port.ts'
import { api } from './menu-calls.ts'

const serviceIds = new Map<string, string>()

/** The frame's hold on the menu: what is open, kept and used, and the parts that are shown on every page. */
export const menuPort: MenuPort = {
  read: async () => {
    const [menu, favorites, usage] = await Promise.all([
      api.getMenu({}),
      api.listFavorites({}),
      api.listServiceUsage({}),
    ])
    const items = menu.list.flatMap(group => group.items)
    for (const item of items) serviceIds.set(item.path, item.serviceId)
    return {
      open: items.map(item => item.path),
      favorites: favorites.list.filter(one => one.isOpen),
      recent: usage.list,
    }
  },
  recordUse: async path => {
    const serviceId = serviceIds.get(path)
    if (serviceId) await api.recordServiceUsage({ body: { serviceId } })
  },
  loadBanners: () => import('./Banners.tsx'),
  loadHomePanels: () => import('./HomePanels.tsx'),
}
