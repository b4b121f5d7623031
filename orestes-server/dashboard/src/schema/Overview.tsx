import { hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { fieldsOf, isBuiltIn, shortType, type ClassInfo } from '../server/schema'
import { RelationList } from './RelationList'

/** Every class with its fields, own ones first. */
export function Overview() {
  const { classes } = useAdmin()
  const shown = classes
    .filter(({ name }) => name !== 'Object')
    .sort((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)) || a.name.localeCompare(b.name))
  return (
    <ul className="class-cards">
      {shown.map((each) => (
        <ClassCard info={each} key={each.name} />
      ))}
    </ul>
  )
}

function ClassCard({ info }: { readonly info: ClassInfo }) {
  const { classes } = useAdmin()
  const fields = fieldsOf(info.name, classes)
  return (
    <li className="card">
      <h2>
        <a href={hrefOf('schema', info.name)}>{info.name}</a>
        {info.embedded === true && <span className="tag">embedded</span>}
        {isBuiltIn(info) && <span className="tag">built in</span>}
      </h2>
      {fields.length === 0 ? (
        <p className="quiet">No fields yet</p>
      ) : (
        <dl className="facts">
          {fields.map(({ name, type }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="quiet">{shortType(type)}</dd>
            </div>
          ))}
        </dl>
      )}
      <RelationList info={info} />
    </li>
  )
}
