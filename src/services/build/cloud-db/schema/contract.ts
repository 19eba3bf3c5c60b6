import { flag, list, nullable, oneOf, optional, type Static, shape, Type, text } from '../../../../kernel/shape.ts'
import { fieldTypes, rights, roles } from './rules.ts'

const Name = text(60, 1)

export const FieldShape = shape({
  fieldName: Name,
  fieldType: oneOf([...fieldTypes]),
  belongPrimaryKey: optional(flag()),
  notNull: optional(flag()),
  isNeedEncrypt: optional(flag()),
  isSensitive: optional(flag()),
  /** As text; null or absent is none. */
  defaultValue: optional(nullable(text(400))),
})

export const IndexShape = shape({
  indexName: Name,
  indexList: Type.Array(shape({ fieldName: Name, sortType: oneOf(['ASC', 'DESC']) }), { maxItems: 20 }),
})

export const PermissionShape = shape({
  role: oneOf([...roles]),
  rights: Type.Array(oneOf([...rights]), { maxItems: 3, uniqueItems: true }),
})

export const ObjectTypeShape = shape({
  objectTypeName: Name,
  fields: Type.Array(FieldShape, { maxItems: 200 }),
  indexes: Type.Array(IndexShape, { maxItems: 64 }),
  permissions: Type.Array(PermissionShape, { maxItems: 4 }),
})

export const PlanShape = shape({
  /** What PostgreSQL is told, for each data zone. */
  ddl: list(Type.String()),
  /** How long rows are locked, as estimated from how many there are. */
  lockMs: Type.Integer(),
  /** Indexes that are built beside the work. */
  concurrent: list(Type.String()),
  breaking: list(shape({ code: Type.Integer(), message: Type.String(), rows: nullable(Type.Integer()) })),
})

export type ObjectType = Static<typeof ObjectTypeShape>
export type FieldOf = Static<typeof FieldShape>
export type IndexOf = Static<typeof IndexShape>
export type Plan = Static<typeof PlanShape>
