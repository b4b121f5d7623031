import type { Answer, Events, LastWrite, Question, Step, ToldEvent } from './explanation'
import { operationOf } from './operations'

/** What a permission says, by the rule that applied; the words in front of it name the permission. */
const OF_PERMISSIONS: { readonly [rule: string]: (by: string) => string } = {
  admin: () => 'grants it, since admins may do everything.',
  deny: (by) => `refuses it, since it denies ${by}.`,
  unrestricted: () => 'grants it, since it names nobody who is allowed, and so lets everybody.',
  allow: (by) => `grants it, since it allows ${by}.`,
  notAllowed: () => 'refuses it, since it allows only others.',
}

/** What was found that no permission changes. */
const OF_CIRCUMSTANCES: { readonly [rule: string]: string } = {
  everybody: 'Everybody may ask for this.',
  eachAlone: 'Everybody may send this; each operation in it is decided on as if it were alone.',
  registrationOnly: 'Objects of this class come into being by registration only.',
  assignedId: 'The server chooses the ids of this class; only admins can.',
  exists: 'There is an object of this id already.',
  builtIn: 'The object belongs to every server and has to stay.',
  lastAdmin: 'Without this user nobody could administer the server.',
}

const OF_EVENTS: { readonly [matchType: string]: string } = {
  add: 'it came into the result',
  change: 'it changed',
  changeIndex: 'it changed its place',
  remove: 'it left the result',
}

const OF_WRITES: { readonly [operation: string]: string } = {
  insert: 'after an insertion',
  update: 'after an update',
  delete: 'after a deletion',
  none: 'after a write of another object',
}

/** The answer in one sentence. */
export function verdictOf(question: Question, { explanation }: Answer): string {
  const { bucket, key } = question
  const operation = operationOf(question.operation)
  const what = operation.hasObject && key !== '' ? `${bucket} ${key}` : `the class ${bucket}`
  const can = explanation.granted ? 'Yes' : 'No'
  return `${can}, ${whoIs(question)} may${explanation.granted ? '' : ' not'} ${operation.words}: ${what}.`
}

function whoIs({ username }: Question): string {
  return username === '' ? 'who is not logged in' : username
}

/** The step that refuses; undefined if none does. */
export function decidingStep({ explanation }: Answer): Step | undefined {
  return explanation.steps.find(({ granted }) => !granted)
}

/** A step as a sentence, in which people and roles have names. */
export function sentenceOf(step: Step, names: ReadonlyMap<string, string>): string {
  const { granted, rule, permission } = step
  if (rule === 'missing') {
    return granted ? 'There is no such object, and there need not be one.' : 'There is no such object.'
  }
  if (rule === 'matches' || rule === 'doesNotMatch') {
    return `Version ${step.version} of the object ${granted ? 'meets' : 'does not meet'} the filter of the live query.`
  }
  const ofPermission = OF_PERMISSIONS[rule]
  if (permission === undefined || ofPermission === undefined) {
    return OF_CIRCUMSTANCES[rule] ?? `${rule}: ${granted ? 'granted' : 'refused'}.`
  }
  if (step.level === 'endpoint') {
    return granted ? 'This is for admins, and the caller is one.' : 'This is for admins only.'
  }
  const by = (step.by ?? []).map((id) => names.get(id) ?? id).join(' and ')
  return `The permission “${permission}” of the ${step.level} ${ofPermission(by)}`
}

/** What is known of a live query's events, in sentences; what was told comes after them. */
export function eventSentences(events: Events): string[] {
  const { active, told, lastWrite, index } = events
  return [
    active
      ? 'Somebody is subscribed to this query with these rights at this server, or was lately.'
      : 'Nobody is subscribed to this query with these rights at this server.',
    ...(active && told.length === 0 ? ['Nothing that is still kept was told of the object.'] : []),
    ...(lastWrite === null ? [] : writeSentences(lastWrite)),
    ...(index === null ? [] : [`In the window it is at place ${index + 1} now.`]),
  ]
}

function writeSentences(write: LastWrite): string[] {
  const { version, date, operation = 'none', readable, matches, whoHadIt, whoHadItNot } = write
  const what = operation === 'none' ? 'write' : operation
  const last = `The last ${what} that is known made version ${version}, at ${date}.`
  if (whoHadIt === undefined) {
    return [last]
  }
  const can = readable === true ? 'The caller may read what was written' : 'The caller may not read it'
  const meets = matches === true ? 'it meets the filter' : 'it does not meet the filter'
  const isDeletion = operation === 'delete'
  return [
    last,
    ...(isDeletion ? [] : [`${can}, and ${meets}.`]),
    `Who had the object in the result is told that ${wordsOf(whoHadIt)}.`,
    whoHadItNot === null || whoHadItNot === undefined
      ? 'Who had it not is told nothing.'
      : `Who had it not is told that ${wordsOf(whoHadItNot)}.`,
  ]
}

/** One event as a sentence. */
export function toldSentence({ matchType, operation, version, date, index }: ToldEvent): string {
  const place = index === undefined ? '' : `, at place ${index + 1}`
  return `${date}: ${wordsOf(matchType)}${place}, ${OF_WRITES[operation] ?? operation} (version ${version})`
}

function wordsOf(matchType: string): string {
  return OF_EVENTS[matchType] ?? matchType
}
