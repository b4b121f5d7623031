import { useState } from 'react'
import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { bucketsOf, isBuiltIn, type ClassInfo } from '../server/schema'

interface ClassListProps {
  readonly page: 'data' | 'schema'
  readonly chosen: string | undefined
}

/** The classes at the side; on a phone behind a button. */
export function ClassList({ page, chosen }: ClassListProps) {
  const { classes } = useAdmin()
  const [isOpen, setOpen] = useState(false)
  const all = page === 'data' ? bucketsOf(classes) : [...bucketsOf(classes), ...embeddedOf(classes)]
  const own = all.filter((each) => !isBuiltIn(each))
  const links = (group: readonly ClassInfo[]) => (
    <ul>
      {group.map(({ name }) => (
        <li key={name}>
          <a
            href={hrefOf(page, name)}
            aria-current={name === chosen ? 'page' : undefined}
            onClick={() => setOpen(false)}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
  return (
    <nav className="classes" aria-label="Classes" data-open={isOpen}>
      <button
        type="button"
        className="button small"
        aria-expanded={isOpen}
        onClick={() => setOpen((before) => !before)}
      >
        Classes{chosen === undefined ? '' : `: ${chosen}`}{' '}
        <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
      </button>
      <div>
        {own.length > 0 && (
          <>
            <h2>Classes</h2>
            {links(own)}
          </>
        )}
        <h2>Built in</h2>
        {links(all.filter(isBuiltIn))}
      </div>
    </nav>
  )
}

/** Classes whose objects are parts of others. */
function embeddedOf(classes: readonly ClassInfo[]): ClassInfo[] {
  return classes.filter(({ embedded }) => embedded === true)
}
