import {
  type Field,
  type Index,
  isAutoIncrement,
  isDefault,
  isFieldName,
  isIndexName,
  isLocked,
  isTypeName,
  keyOf,
  limits,
  type ObjectType,
  type Permission,
  possibilitiesOf,
  type Role,
  rights,
  roles,
} from '../schema/rules.ts'

/** Whether an object type can be as it is designed, and what it means to change one: the same for the server and the form. */

export interface Problem {
  code: number
  pointer: string
  message: string
}

/** Everything that is wrong with one field by itself. */
export function fieldProblems(field: Field, pointer: string): Problem[] {
  const found: Problem[] = []
  const say = (code: number, part: string, message: string) =>
    found.push({ code, pointer: `${pointer}/${part}`, message })
  const { fieldName, fieldType, belongPrimaryKey, notNull, isNeedEncrypt, isSensitive, defaultValue } = field
  const can = possibilitiesOf(fieldType)
  const hasDefault = defaultValue !== undefined && defaultValue !== null
  if (!isFieldName(fieldName)) {
    say(
      4027014,
      'fieldName',
      `has 1 to ${limits.nameLength} letters, digits and _; the first is a letter, the last no _; and is not reserved`,
    )
  }
  if (belongPrimaryKey) {
    if (!can.primaryKey) say(4022003, 'belongPrimaryKey', `${fieldType} cannot be a key`)
    if (isNeedEncrypt || isSensitive) say(4022002, 'isNeedEncrypt', 'a key can be neither encrypted nor sensitive')
    if (hasDefault) say(4022005, 'defaultValue', 'a key has no default')
  }
  if (isAutoIncrement(fieldType) && !belongPrimaryKey)
    say(4027018, 'fieldType', `${fieldType} counts keys: make it one`)
  if (notNull && !belongPrimaryKey) {
    if (!can.notNull) say(4023001, 'notNull', `${fieldType} can always be empty`)
    if (isNeedEncrypt || isSensitive) say(4023002, 'notNull', 'an encrypted or sensitive field can always be empty')
    else if (can.notNull && !hasDefault) say(4024006, 'defaultValue', 'a field that is never empty needs a default')
  }
  if (isNeedEncrypt && isSensitive) say(4027026, 'isSensitive', 'encrypted by the app or sealed here, not both')
  if (isNeedEncrypt && !can.encrypt) say(4027026, 'isNeedEncrypt', `${fieldType} cannot be encrypted by the app`)
  if (isSensitive && !can.sensitive) say(4027026, 'isSensitive', `${fieldType} cannot be sensitive`)
  if (hasDefault && !belongPrimaryKey) {
    if (isNeedEncrypt || isSensitive) say(4024005, 'defaultValue', 'an encrypted or sensitive field has no default')
    else if (!can.defaultValue) say(4024002, 'defaultValue', `${fieldType} has no default`)
    else if (!isDefault(fieldType, defaultValue)) say(4024004, 'defaultValue', `is no ${fieldType}`)
  }
  return found
}

/** Everything that is wrong with a type. Empty: it can be made. */
export function typeProblems(type: ObjectType): Problem[] {
  const found: Problem[] = []
  const say = (code: number, pointer: string, message: string) => found.push({ code, pointer, message })
  const { fields, indexes } = type
  if (!isTypeName(type.objectTypeName)) {
    say(
      4027018,
      '/objectTypeName',
      `has 1 to ${limits.nameLength} letters, digits and _; the first is a letter, the last no _; and is not reserved`,
    )
  }
  if (fields.length === 0) say(4027011, '/fields', 'a type has at least one field')
  if (fields.length > limits.fields) say(4027005, '/fields', `${fields.length} are more than ${limits.fields} fields`)
  const strings = fields.filter(field => field.fieldType === 'String').length
  if (strings > limits.stringFields)
    say(4027006, '/fields', `${strings} are more than ${limits.stringFields} String fields`)
  const keys = fields.filter(field => field.belongPrimaryKey).length
  if (fields.length > 0 && keys === 0) say(4027017, '/fields', 'at least one field is the key')
  if (keys > limits.primaryKeys) say(4022001, '/fields', `${keys} are more than ${limits.primaryKeys} key fields`)
  const guarded = fields.filter(field => field.isNeedEncrypt || field.isSensitive).length
  if (guarded > limits.guardedFields)
    say(4027025, '/fields', `${guarded} are more than ${limits.guardedFields} encrypted and sensitive fields`)
  const seen = new Set<string>()
  for (const [at, field] of fields.entries()) {
    if (seen.has(keyOf(field.fieldName)))
      say(2002012, `/fields/${at}/fieldName`, 'is there twice; capitals make no difference')
    seen.add(keyOf(field.fieldName))
    found.push(...fieldProblems(field, `/fields/${at}`))
  }
  if (fields.filter(field => isAutoIncrement(field.fieldType)).length > 1) {
    say(4027018, '/fields', 'at most one field counts by itself')
  }
  if (indexes.length > limits.indexes)
    say(4021001, '/indexes', `${indexes.length} are more than ${limits.indexes} indexes`)
  const named = new Set<string>()
  for (const [at, index] of indexes.entries()) {
    if (named.has(keyOf(index.indexName)))
      say(2002018, `/indexes/${at}/indexName`, 'is there twice; capitals make no difference')
    named.add(keyOf(index.indexName))
    found.push(...indexProblems(index, fields, `/indexes/${at}`))
  }
  found.push(...permissionProblems(type))
  return found
}

export function indexProblems(index: Index, fields: readonly Field[], pointer: string): Problem[] {
  const found: Problem[] = []
  const say = (code: number, part: string, message: string) =>
    found.push({ code, pointer: `${pointer}/${part}`, message })
  const { indexName, indexList } = index
  if (!isIndexName(indexName)) {
    say(
      4021003,
      'indexName',
      `has 1 to ${limits.nameLength} letters, digits and _; the first is a letter, the last no _`,
    )
  }
  const isCount = indexList.length > 0 && indexList.length <= limits.indexFields
  if (!isCount) say(4021002, 'indexList', `has 1 to ${limits.indexFields} fields`)
  const seen = new Set<string>()
  for (const [at, { fieldName }] of indexList.entries()) {
    const place = `indexList/${at}/fieldName`
    const field = fields.find(one => keyOf(one.fieldName) === keyOf(fieldName))
    if (seen.has(keyOf(fieldName))) say(4021005, place, 'is there twice')
    seen.add(keyOf(fieldName))
    if (!field) say(4021006, place, 'is no field of the type')
    else if (!possibilitiesOf(field.fieldType).index || field.isNeedEncrypt || field.isSensitive) {
      say(4021008, place, 'cannot be sorted: ByteArray, Text, encrypted and sensitive fields have no index')
    }
  }
  return found
}

function permissionProblems(type: ObjectType): Problem[] {
  const found: Problem[] = []
  const say = (code: number, pointer: string, message: string) => found.push({ code, pointer, message })
  const seen = new Set<Role>()
  for (const [at, one] of type.permissions.entries()) {
    if (seen.has(one.role)) say(4026004, `/permissions/${at}/role`, 'is there twice')
    seen.add(one.role)
    if (isLocked(type, one.role) && one.rights.length > 0) {
      say(4027024, `/permissions/${at}/rights`, `${one.role} has no right where a field is encrypted by the app`)
    }
  }
  for (const role of roles) if (!seen.has(role)) say(4026005, '/permissions', `says nothing of ${role}`)
  return found
}

/** What a change would do. Rows are counted by the server. */
export interface Change {
  added: Field[]
  removed: Field[]
  addedIndexes: Index[]
  removedIndexes: Index[]
  permissions: Permission[]
  problems: Problem[]
}

/** The change from one definition to another; fields are told apart by name, capitals make no difference. */
export function changeOf(before: ObjectType, after: ObjectType): Change {
  const problems: Problem[] = []
  const old = new Map(before.fields.map(field => [keyOf(field.fieldName), field]))
  const kept = new Set(after.fields.map(field => keyOf(field.fieldName)))
  const added: Field[] = []
  for (const [at, field] of after.fields.entries()) {
    const was = old.get(keyOf(field.fieldName))
    if (!was) {
      added.push(field)
      if (field.belongPrimaryKey)
        problems.push({
          code: 2001006,
          pointer: `/fields/${at}/belongPrimaryKey`,
          message: 'the key of a type stays as it is',
        })
      continue
    }
    if (!isSameField(was, field)) {
      problems.push({
        code: 2002005,
        pointer: `/fields/${at}`,
        message: 'existing fields cannot be modified; delete the field and add one of another name',
      })
    }
  }
  const removed = before.fields.filter(field => !kept.has(keyOf(field.fieldName)))
  for (const field of removed) {
    if (field.belongPrimaryKey)
      problems.push({
        code: 2001006,
        pointer: '/fields',
        message: `the key of a type stays as it is; ${field.fieldName} is missing`,
      })
  }
  const nameOf = (index: Index) =>
    JSON.stringify([keyOf(index.indexName), index.indexList.map(one => [keyOf(one.fieldName), one.sortType])])
  const oldIndexes = new Set(before.indexes.map(nameOf))
  const newIndexes = new Set(after.indexes.map(nameOf))
  const changed = after.permissions.filter(one => {
    const was = before.permissions.find(other => other.role === one.role)
    return rights.some(right => (was?.rights.includes(right) ?? false) !== one.rights.includes(right))
  })
  return {
    added,
    removed,
    addedIndexes: after.indexes.filter(index => !oldIndexes.has(nameOf(index))),
    removedIndexes: before.indexes.filter(index => !newIndexes.has(nameOf(index))),
    permissions: changed,
    problems,
  }
}

function isSameField(a: Field, b: Field): boolean {
  const plain = (field: Field) => [
    field.fieldName,
    field.fieldType,
    field.belongPrimaryKey ?? false,
    field.belongPrimaryKey ? false : (field.notNull ?? false),
    field.isNeedEncrypt ?? false,
    field.isSensitive ?? false,
    field.defaultValue ?? null,
  ]
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b))
}
