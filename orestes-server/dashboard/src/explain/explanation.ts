import type { Client, User } from '@orestes/sdk'
import { InputError, jsonIn } from '../server/values'
import { operationOf } from './operations'

/** Whether somebody may do something. */
export interface Question {
  /** Name of a user; empty for who is not logged in. */
  readonly username: string
  readonly operation: string
  readonly bucket: string
  /** Empty to ask about the class alone. */
  readonly key: string
  /** Of a live query, as JSON; empty for none. */
  readonly filter: string
  readonly sort: string
  /** Of a live query's window, as numbers; empty for no bound. */
  readonly start: string
  readonly count: string
}

/** One thing that was looked at on the way. */
export interface Step {
  readonly granted: boolean
  readonly level: 'endpoint' | 'class' | 'object' | 'query'
  readonly permission?: string
  readonly rule: string
  /** Identities of the caller that the rule goes by. */
  readonly by?: readonly string[]
  readonly version?: number
}

/** What a subscriber was told of the object. */
export interface ToldEvent {
  readonly matchType: string
  readonly operation: string
  readonly version: number
  readonly date: string
  readonly index?: number
}

/** The last write of the object that the server knows of. */
export interface LastWrite {
  readonly version: number
  readonly date: string
  readonly operation?: string
  readonly readable?: boolean
  readonly matches?: boolean
  readonly whoHadIt?: string
  readonly whoHadItNot?: string | null
}

/** What is known of a live query's events about the object. */
export interface Events {
  readonly active: boolean
  readonly told: readonly ToldEvent[]
  readonly lastWrite: LastWrite | null
  readonly index: number | null
  /** In sentences. */
  readonly unknown: readonly string[]
}

/** The server's answer to a question. */
export interface Explanation {
  readonly granted: boolean
  /** The caller and all of the caller's roles. */
  readonly identities: readonly string[]
  readonly admin: boolean
  /** In the order in which they are asked; the first that is not granted decides. */
  readonly steps: readonly Step[]
  readonly event?: Events
}

/** An answer, and how people know those whom it names by their ids. */
export interface Answer {
  readonly explanation: Explanation
  readonly names: ReadonlyMap<string, string>
}

/**
Asks the server.

@throws {InputError} if there is no such user, or a part of the live query is no JSON
*/
export async function ask(client: Client, question: Question, signal: AbortSignal): Promise<Answer> {
  const caller = question.username === '' ? '' : await userId(client, question.username, signal)
  const path = `/-/explain?${parametersOf(question, caller)}`
  const explanation = (await client.request(path, { signal })) as Explanation
  const names = await namesOf(client, explanation.identities, signal)
  return {
    explanation,
    names: caller === '' ? names : new Map([...names, [caller, `the user ${question.username}`]]),
  }
}

/** @throws {InputError} if a part of the live query is not as it should be */
export function parametersOf(question: Question, caller: string): URLSearchParams {
  const { operation, bucket, key } = question
  const hasObject = key !== '' && operationOf(operation).hasObject
  const ref = `/db/${bucket}${hasObject ? `/${encodeURIComponent(key)}` : ''}`
  const parameters = new URLSearchParams({ caller, operation, ref })
  if (operation === 'subscribe') {
    appendJson(parameters, 'q', question.filter)
    appendJson(parameters, 'sort', question.sort)
    appendNumber(parameters, 'start', question.start)
    appendNumber(parameters, 'count', question.count)
  }
  return parameters
}

function appendJson(parameters: URLSearchParams, name: string, text: string): void {
  if (text.trim() === '') return
  jsonIn(text)
  parameters.set(name, text)
}

function appendNumber(parameters: URLSearchParams, name: string, text: string): void {
  const trimmed = text.trim()
  if (trimmed === '') return
  if (!/^\d{1,9}$/.test(trimmed)) {
    throw new InputError(`${trimmed} is not a whole number from 0`)
  }
  parameters.set(name, trimmed)
}

async function userId(client: Client, username: string, signal: AbortSignal): Promise<string> {
  const { data: found } = await client.bucket<User>('User').find({ username }).limit(1).list({ signal })
  const [user] = found
  if (user === undefined) {
    throw new InputError(`There is no user called ${username}.`)
  }
  return user.id
}

async function namesOf(
  client: Client,
  identities: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const ids = identities.filter((id) => id.startsWith('/db/Role/'))
  if (ids.length === 0) {
    return new Map()
  }
  const roles = client.bucket<{ name: string }>('Role').find({ id: { $in: ids } })
  const { data } = await roles.list({ signal })
  return new Map(data.map(({ id, name }) => [id, `the role ${name}`]))
}
