import { useQuery } from '@tanstack/react-query'

/** A JSON schema as the server prints it into OpenAPI 3.1. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

export interface Operation {
  summary: string
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
  'x-audience': string
  'x-permission': string
  'x-zone': string
}

export interface CallLine {
  method: string
  path: string
  summary: string
  permission: string
  audience: string
}

export interface ServiceLine {
  name: string
  calls: CallLine[]
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

async function read<T>(place: string): Promise<T> {
  const reply = await fetch(place)
  if (!reply.ok) throw new Error(`${place}: ${reply.status}`)
  return (await reply.json()) as T
}

/** The calls of every service, without schemas. */
export function useIndex() {
  return useQuery({
    queryKey: ['ground/reference', 'index'],
    queryFn: () => read<{ services: ServiceLine[] }>('/openapi/index.json'),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The document of one service. */
export function useDocument(service: string | undefined) {
  return useQuery({
    queryKey: ['ground/reference', 'document', service],
    queryFn: () => read<Document>(`/openapi/${service}.json`),
    enabled: service !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const jsonBodyOf = (content: Content | undefined) => content?.content?.['application/json']?.schema
export const takesBytes = (operation: Operation) =>
  operation.requestBody?.content?.['application/octet-stream'] !== undefined

/** A reference of the document followed; everything else is itself. */
export function resolved(schema: Schema, schemas: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name && schemas[name]) || schema
}
