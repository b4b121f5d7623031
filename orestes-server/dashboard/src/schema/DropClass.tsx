import { useCallback } from 'react'
import { go, hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import type { ClassInfo } from '../server/schema'
import { ChangeDialog } from './ChangeDialog'
import { dropDifferences, dropEffects } from './changes'
import { relationsOf } from './relations'

/** Asks before a class is dropped, with what goes with it. */
export function DropClass({ info, close }: { readonly info: ClassInfo; readonly close: () => void }) {
  const { client, classes } = useAdmin()
  const load = useCallback(
    async (signal: AbortSignal) =>
      info.embedded === true ? 0 : (await client.bucket(info.name).find().count({ signal })).data,
    [client, info],
  )
  const { data: stored } = useLoaded(load)
  return (
    <ChangeDialog
      title={`Drop ${info.name}?`}
      action={info.embedded === true ? 'Drop class' : 'Drop class and objects'}
      change={{ operation: 'removeClass', bucket: info.class }}
      differences={dropDifferences(info, stored)}
      effects={dropEffects(info, relationsOf(info, classes))}
      close={close}
      done={() => go(hrefOf('schema'))}
    />
  )
}
