import { comparedField, SAMPLE_KEY } from './sample'
import type { ClassInfo } from '../server/schema'
import type { Operation, Parameter } from './spec'

/** What somebody gave for the parameters of an operation, by name; empty for those that are left out. */
export type Values = { readonly [parameter: string]: string }

/** What an operation is asked for with. */
export interface ApiRequest {
  readonly method: string
  /** With its query, below the base of the interface. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** Undefined where nothing is sent along. */
  readonly body: string | undefined
}

/** The keys of user and role that every server has: root, and the admins. */
const FIRST_KEY = '1'

/** What to begin with, about the sample object of a class; only who asks knows the other values that are required. */
export function firstValues(operation: Operation, bucket: string, classes: readonly ClassInfo[]): Values {
  const [field, value] = comparedField(bucket, classes) ?? []
  const known: Values = {
    bucket,
    oid: operation.path.startsWith('/db/{bucket}') ? SAMPLE_KEY : FIRST_KEY,
    field: field ?? '',
    q: JSON.stringify(field === undefined ? {} : { [field]: value }),
    ip: '127.0.0.1',
    url: `/v1/db/${bucket}/${SAMPLE_KEY}`,
    ref: `/db/${bucket}/${SAMPLE_KEY}`,
    operation: 'load',
  }
  const wanted = operation.parameters.filter(({ name, required }) => required === true || name === 'q')
  return Object.fromEntries(wanted.map(({ name }) => [name, known[name] ?? '']))
}

/** The request for an operation; what is required and missing is named in angle brackets. */
export function requestOf(operation: Operation, values: Values, body: string): ApiRequest {
  const given = (place: string) =>
    operation.parameters.filter(({ name, in: its }) => its === place && valueIn(values, name) !== '')
  const headers = given('header').map(({ name }) => [name, valueIn(values, name)])
  const search = new URLSearchParams(
    given('query').flatMap((each) => pairsOf(each, valueIn(values, each.name))),
  )
  const { method, contentType } = operation
  return {
    method,
    path: pathOf(operation, values) + (search.size === 0 ? '' : `?${search}`),
    headers: { ...(contentType && { 'Content-Type': contentType }), ...Object.fromEntries(headers) },
    body: contentType === undefined ? undefined : body,
  }
}

/** Whether a parameter stands for as many as somebody gives, with names of their own. */
export function isNames({ schema }: Parameter): boolean {
  return schema?.type === 'object'
}

function pairsOf(parameter: Parameter, value: string): string[][] {
  return isNames(parameter) ? [...new URLSearchParams(value)] : [[parameter.name, value]]
}

function pathOf({ path }: Operation, values: Values): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueIn(values, name)
    return value === '' ? `<${name}>` : encodeURIComponent(value)
  })
}

const valueIn = (values: Values, name: string) => values[name] ?? ''
