import { refuse } from '../../../../kernel/errors.ts'
import { cloudDb } from '../contract.ts'
import type { FieldOf, ObjectType } from './contract.ts'
import type { FieldType } from './rules.ts'

export type ClassFormat = 'json' | 'java' | 'android' | 'js' | 'ts' | 'objc'

interface Wish {
  format: ClassFormat
  package: string
  version: number
}

/** The schema as a file: JSON that can be imported again, or classes as the public clients take them. */
export function classesOf(
  types: readonly ObjectType[],
  wish: Wish,
): { fileName: string; contentType: string; text: string } {
  if (wish.package !== '' && !/^[a-zA-Z_]\w*(\.[a-zA-Z_]\w*)*$/.test(wish.package)) {
    refuse(cloudDb.errors.packageName, { name: wish.package })
  }
  const plain = 'text/plain; charset=utf-8'
  switch (wish.format) {
    case 'json': {
      const permissions = types.map(({ objectTypeName, permissions: own }) => ({ objectTypeName, permissions: own }))
      const text = JSON.stringify({ schemaVersion: wish.version, permissions, objectTypes: types }, null, 2)
      return { fileName: 'object-types.json', contentType: 'application/json; charset=utf-8', text }
    }
    case 'java':
    case 'android':
      return {
        fileName: 'ObjectTypes.java.txt',
        contentType: plain,
        text: types.map(type => java(type, wish)).join('\n'),
      }
    case 'objc':
      return { fileName: 'ObjectTypes.h', contentType: plain, text: types.map(objc).join('\n') }
    case 'ts':
      return { fileName: 'object-types.ts', contentType: plain, text: types.map(type => script(type, true)).join('\n') }
    default:
      return {
        fileName: 'object-types.js',
        contentType: plain,
        text: types.map(type => script(type, false)).join('\n'),
      }
  }
}

const keysOf = (type: ObjectType) => type.fields.filter(field => field.belongPrimaryKey).map(field => field.fieldName)
const encryptedOf = (type: ObjectType) => type.fields.filter(field => field.isNeedEncrypt).map(field => field.fieldName)
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const tsTypes: Record<FieldType, string> = {
  Boolean: 'boolean',
  Byte: 'number',
  Short: 'number',
  Integer: 'number',
  Long: 'number | string',
  Float: 'number',
  Double: 'number',
  ByteArray: 'Uint8Array',
  String: 'string',
  Text: 'string',
  Date: 'Date',
  IntAutoIncrement: 'number',
  LongAutoIncrement: 'number | string',
}

/** A class as the web and server clients take it. */
function script(type: ObjectType, isTyped: boolean): string {
  const list = (names: readonly string[]) => JSON.stringify(names)
  const of = (name: string) => (isTyped ? `: ${name}` : '')
  const fields = type.fields.map(
    field => `  ${field.fieldName}${isTyped ? `?: ${tsTypes[field.fieldType]} | null` : ''};`,
  )
  const map = type.fields.map(field => `    map.set('${field.fieldName}', '${field.fieldType}');`)
  const indexes = type.indexes.map(index => index.indexList.map(one => one.fieldName))
  return `${isTyped ? 'export ' : ''}class ${type.objectTypeName} {
${isTyped ? fields.join('\n') : `  constructor() {\n${type.fields.map(field => `    this.${field.fieldName} = undefined;`).join('\n')}\n  }`}

  getFieldTypeMap()${of('Map<string, string>')} {
    const map = new Map${isTyped ? '<string, string>' : ''}();
${map.join('\n')}
    return map;
  }

  getClassName()${of('string')} {
    return '${type.objectTypeName}';
  }

  getPrimaryKeyList()${of('string[]')} {
    return ${list(keysOf(type))};
  }

  getIndexList()${of('string[][]')} {
    return ${JSON.stringify(indexes)};
  }

  getEncryptedFieldList()${of('string[]')} {
    return ${list(encryptedOf(type))};
  }
}
${isTyped ? '' : `module.exports.${type.objectTypeName} = ${type.objectTypeName};\n`}`
}

const javaTypes: Record<FieldType, string> = {
  Boolean: 'Boolean',
  Byte: 'Byte',
  Short: 'Short',
  Integer: 'Integer',
  Long: 'Long',
  Float: 'Float',
  Double: 'Double',
  ByteArray: 'byte[]',
  String: 'String',
  Text: 'Text',
  Date: 'Date',
  IntAutoIncrement: 'Integer',
  LongAutoIncrement: 'Long',
}

function java(type: ObjectType, wish: Wish): string {
  const indexes = type.indexes.map(
    index => `"${index.indexName}:${index.indexList.map(one => one.fieldName).join(',')}"`,
  )
  const imports =
    wish.format === 'android' ? 'com.huawei.agconnect.cloud.database' : 'com.huawei.agconnect.server.clouddb'
  const accessors = type.fields.map(
    ({ fieldName, fieldType }) => `    public void set${capital(fieldName)}(${javaTypes[fieldType]} ${fieldName}) {
        this.${fieldName} = ${fieldName};
    }

    public ${javaTypes[fieldType]} get${capital(fieldName)}() {
        return ${fieldName};
    }
`,
  )
  return `${wish.package === '' ? '' : `package ${wish.package};\n\n`}import ${imports}.annotations.*;
import ${imports}.CloudDBZoneObject;
import ${imports}.Text;

import java.util.Date;

@PrimaryKeys({${keysOf(type)
    .map(key => `"${key}"`)
    .join(', ')}})
@Indexes({${indexes.join(', ')}})
public final class ${type.objectTypeName} extends CloudDBZoneObject {
${type.fields.map(javaField).join('\n')}

    public ${type.objectTypeName}() {
        super(${type.objectTypeName}.class);
    }

${accessors.join('\n')}}
`
}

function javaField({ fieldName, fieldType, notNull, isNeedEncrypt, defaultValue }: FieldOf): string {
  const marks = [
    ...(isNeedEncrypt ? ['    @EncryptedField'] : []),
    ...(notNull ? ['    @NotNull'] : []),
    ...(defaultValue === undefined || defaultValue === null
      ? []
      : [`    @DefaultValue(stringValue = ${JSON.stringify(defaultValue)})`]),
    ...(fieldType.endsWith('AutoIncrement') ? ['    @AutoIncrement'] : []),
  ]
  return [...marks, `    private ${javaTypes[fieldType]} ${fieldName};`].join('\n')
}

function objc(type: ObjectType): string {
  const kinds: Partial<Record<FieldType, string>> = {
    String: 'NSString *',
    Text: 'AGCCloudDBText *',
    ByteArray: 'NSData *',
    Date: 'NSDate *',
  }
  const fields = type.fields.map(
    ({ fieldName, fieldType }) => `@property (nonatomic, strong) ${kinds[fieldType] ?? 'NSNumber *'}${fieldName};`,
  )
  return `#import <AGConnectDatabase/AGConnectDatabase.h>

@interface ${type.objectTypeName} : AGCCloudDBObject

${fields.join('\n')}

@end
`
}
