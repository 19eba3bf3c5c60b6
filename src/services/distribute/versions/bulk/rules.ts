export const bulkActions = ['submit', 'withdraw', 'shelfOff'] as const
export type BulkAction = (typeof bulkActions)[number]
