import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/webhooks', [
  {
    path: '/webhooks',
    title: { zh: 'Webhook', en: 'Webhooks', ru: 'Вебхуки' },
    group: 'ground',
    face: 'developer',
    menu: { order: 40 },
    may: 'webhooks.read',
    load: () => import('./WebhooksPage.tsx'),
  },
  {
    path: '/webhooks/$endpointId',
    title: { zh: 'Webhook', en: 'Webhook', ru: 'Вебхук' },
    group: 'ground',
    face: 'developer',
    may: 'webhooks.read',
    crumbs: '/webhooks',
    load: () => import('./WebhookPage.tsx'),
  },
  {
    path: '/webhooks/$endpointId/deliveries/$deliveryId',
    title: { zh: '投递', en: 'Delivery', ru: 'Отправка' },
    group: 'ground',
    face: 'developer',
    may: 'webhooks.read',
    crumbs: '/webhooks/$endpointId',
    load: () => import('./DeliveryPage.tsx'),
  },
])
