import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import type { ClassInfo } from '../server/schema'
import { relationsOf } from './relations'

/** How a class hangs together with others, as links to them; nothing where it stands alone. */
export function RelationList({ info }: { readonly info: ClassInfo }) {
  const { classes } = useAdmin()
  const { superClass, extendedBy, refersTo, referredToBy } = relationsOf(info, classes)
  const lines: readonly (readonly [string, string, string?])[] = [
    ...(superClass === undefined ? [] : [['extends', superClass] as const]),
    ...extendedBy.map((each) => ['extended by', each] as const),
    ...refersTo.map(({ field, bucket }) => [`${field} →`, bucket] as const),
    ...referredToBy.map(({ field, bucket }) => ['←', bucket, `.${field}`] as const),
  ]
  if (lines.length === 0) {
    return null
  }
  return (
    <ul className="relations" aria-label={`Relations of ${info.name}`}>
      {lines.map(([words, bucket, rest = '']) => (
        <li key={`${words} ${bucket}${rest}`}>
          <span className="quiet">{wordsOf(words)}</span>{' '}
          <a href={hrefOf('schema', bucket)}>
            {bucket}
            {rest}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Arrows are for the eye; what is read out says what they mean. */
function wordsOf(words: string) {
  return words === '←' ? (
    <>
      <span aria-hidden="true">←</span>
      <span className="only-spoken">referred to by</span>
    </>
  ) : words.endsWith(' →') ? (
    <>
      {words.slice(0, -2)} <span aria-hidden="true">→</span>
      <span className="only-spoken">refers to</span>
    </>
  ) : (
    words
  )
}
