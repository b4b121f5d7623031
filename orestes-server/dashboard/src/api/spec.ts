/** What one parameter of an operation is. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: { readonly type?: unknown; readonly enum?: readonly string[] }
}

/** One thing that can be asked of the server. */
export interface Operation {
  /** Unique, such as `query`. */
  readonly id: string
  /** In capital letters. */
  readonly method: string
  /** With its parameters in braces: `/db/{bucket}/{oid}`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly parameters: readonly Parameter[]
  /** Media type of what is sent along, the first of several; undefined where nothing is. */
  readonly contentType: string | undefined
}

interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: unknown } }
}

/** The part of an OpenAPI document that is shown. */
export interface Spec {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } }
}

const METHODS = ['get', 'post', 'put', 'delete']

/** What is still to come is in the document, too; it is no use to anybody here. */
const LATER = 'later'

/** All operations of a document, in its order. */
export function operationsIn({ paths }: Spec): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { tags = [] }]) => METHODS.includes(method) && !tags.includes(LATER))
      .map(([method, described]) => operationOf(path, method, described)),
  )
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, summary = '', tags = [], parameters = [], requestBody } = described
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    tag: tags[0] ?? 'other',
    parameters: parameters.filter((each): each is Parameter => 'name' in each),
    contentType: requestBody && mediaTypeOf(Object.keys(requestBody.content)),
  }
}

const JSON_TYPE = 'application/json'

function mediaTypeOf(offered: readonly string[]): string | undefined {
  return offered.includes(JSON_TYPE) ? JSON_TYPE : offered[0]
}

/** Operations whose path, summary or identifier has all words of a text. */
export function matching(operations: readonly Operation[], text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/)
  return operations.filter(({ id, method, path, summary }) => {
    const all = `${id} ${method} ${path} ${summary}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
