import { createContext, useContext, useEffect, useRef, type PointerEvent } from 'react'
import { keyIn } from '../server/values'
import type { ObjectPreviews } from './objectPreviews'

/** The previews of the references below it; without one they are links and nothing else. */
export const PreviewsContext = createContext<ObjectPreviews<HTMLElement> | undefined>(undefined)

interface ReferenceLinkProps {
  readonly id: string
  readonly href: string
  readonly isActive: boolean
}

/** A link to an object, which shows what that is to whoever points at it or is there with the keyboard. */
export function ReferenceLink({ id, href, isActive }: ReferenceLinkProps) {
  const previews = useContext(PreviewsContext)
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const anchor = link.current
    return () => {
      if (anchor) previews?.drop(anchor)
    }
  }, [previews, id])
  // a finger has no place where it rests before it taps
  const isMouse = ({ pointerType }: PointerEvent) => pointerType !== 'touch'
  return (
    <a
      ref={link}
      href={href}
      tabIndex={isActive ? 0 : -1}
      onPointerEnter={(event) => isMouse(event) && previews?.enter(id, event.currentTarget, 'pointer')}
      onPointerLeave={(event) => previews?.leave(event.currentTarget, 'pointer')}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) previews?.enter(id, currentTarget, 'focus')
      }}
      onBlur={({ currentTarget }) => previews?.leave(currentTarget, 'focus')}
      onClick={() => previews?.close()}
    >
      {keyIn(id)}
    </a>
  )
}
