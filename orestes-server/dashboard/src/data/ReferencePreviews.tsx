import { bucketOf, NotFoundError } from '@orestes/sdk'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { useAdmin } from '../app/session'
import { messageOf } from '../server/messages'
import type { ClassInfo } from '../server/schema'
import { formatValue, keyIn } from '../server/values'
import { Facts } from '../ui/Facts'
import { mainFields } from './mainFields'
import { ObjectPreviews, type Preview, type ShownPreview } from './objectPreviews'
import { PreviewsContext } from './ReferenceLink'
import type { Row } from './rows'

type Previews = ObjectPreviews<HTMLElement>

/**
Previews that read as the user whose eyes the data is seen with.

@param writes changes when something was written
*/
export function usePreviews(writes: number): Previews {
  const { client } = useAdmin()
  const previews = useMemo(
    () =>
      new ObjectPreviews<HTMLElement>(
        async (id, signal) => (await client.load<{ [field: string]: unknown }>(id, { signal })).data,
      ),
    [client],
  )
  useEffect(() => previews.forget(), [previews, writes])
  useEffect(() => () => previews.close(), [previews])
  return previews
}

interface ReferencePreviewsProps {
  readonly previews: Previews
  readonly children: ReactNode
}

/** Shows previews of the references in it. */
export function ReferencePreviews({ previews, children }: ReferencePreviewsProps) {
  const { classes, isReadOnly } = useAdmin()
  const shown = useSyncExternalStore(previews.subscribe, previews.shown)
  const said = shown && wordsOf(shown.preview, classes, isReadOnly)
  return (
    <PreviewsContext value={previews}>
      {children}
      {shown && said && <PreviewCard shown={shown} said={said} previews={previews} />}
      <p role="status" className="only-spoken">
        {shown?.isOfFocus && said ? spoken(shown.id, said) : ''}
      </p>
    </PreviewsContext>
  )
}

/** What a preview says: a sentence, or fields. */
interface Words {
  readonly sentence: string
  readonly fields: readonly (readonly [string, string])[]
}

function wordsOf(preview: Preview, classes: readonly ClassInfo[], isReadOnly: boolean): Words {
  switch (preview.kind) {
    case 'loading':
      return { sentence: 'Loading …', fields: [] }
    case 'failed':
      return { sentence: reasonOf(preview.error, isReadOnly), fields: [] }
    case 'found':
      return { sentence: ageOf(preview.object), fields: mainFields(preview.object, classes) }
  }
}

/** To others than admins a server does not tell what there is that they may not read. */
function reasonOf(error: Error, isReadOnly: boolean): string {
  if (error instanceof NotFoundError) {
    return isReadOnly ? 'There is no such object, or it may not be read.' : 'There is no such object.'
  }
  return messageOf(error)
}

function ageOf({ version, updatedAt }: Row): string {
  return `Version ${version}${updatedAt ? `, changed ${formatValue(updatedAt, 'dateTime')}` : ''}`
}

function spoken(id: string, { sentence, fields }: Words): string {
  return [titleOf(id), ...fields.map(([name, value]) => `${name} ${value}`), sentence].join(', ')
}

function titleOf(id: string): string {
  return `${bucketOf(id)} ${keyIn(id)}`
}

interface PreviewCardProps {
  readonly shown: ShownPreview<HTMLElement>
  readonly said: Words
  readonly previews: Previews
}

/** Stays as long as the pointer is on it, and goes by Escape. Takes no place in the page. */
function PreviewCard({ shown, said, previews }: PreviewCardProps) {
  const { id, anchor } = shown
  const card = useRef<HTMLDivElement>(null)
  const cardId = useId()
  useLayoutEffect(() => {
    if (card.current) place(card.current, anchor)
  }, [anchor, said])
  useEffect(() => {
    anchor.setAttribute('aria-describedby', cardId)
    return () => anchor.removeAttribute('aria-describedby')
  }, [anchor, cardId])
  useClosing(previews)
  return (
    <div
      ref={card}
      id={cardId}
      role="tooltip"
      className="preview card"
      onPointerEnter={() => previews.enter(id, anchor, 'pointer')}
      onPointerLeave={() => previews.leave(anchor, 'pointer')}
    >
      <strong>{titleOf(id)}</strong>
      {said.fields.length > 0 && <Facts of={said.fields} />}
      <p className="quiet">{said.sentence}</p>
    </div>
  )
}

/** Escape closes the topmost only, so what is edited below stays. A place that scrolls away is not followed. */
function useClosing(previews: Previews): void {
  useEffect(() => {
    const end = new AbortController()
    const options = { capture: true, signal: end.signal }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      previews.close()
    }
    addEventListener('keydown', onKeyDown, options)
    addEventListener('scroll', () => previews.close(), options)
    addEventListener('resize', () => previews.close(), options)
    return () => end.abort()
  }, [previews])
}

const GAP = 4
const MARGIN = 8

/** Below its reference, or above it where there is no room. */
function place(card: HTMLElement, anchor: HTMLElement): void {
  const { left, top, bottom } = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = card
  const isBelow = bottom + GAP + height <= innerHeight - MARGIN
  card.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
  card.style.top = `${Math.max(MARGIN, isBelow ? bottom + GAP : top - GAP - height)}px`
}
