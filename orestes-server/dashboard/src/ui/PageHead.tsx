import { useEffect, useRef, type ReactNode } from 'react'
import { usePageTitle } from './usePageTitle'

interface PageHeadProps {
  readonly title: string
  /** Of the browser's window, where the heading alone says too little. */
  readonly windowTitle?: string
  readonly children?: ReactNode
}

/** False until the first page was shown: whoever loads the dashboard begins at its top. */
let hasBeenElsewhere = false

/** Heading of a page with what can be done there. Takes the focus when somebody has come from another page. */
export function PageHead({ title, windowTitle = title, children }: PageHeadProps) {
  usePageTitle(windowTitle)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasBeenElsewhere && document.querySelector('dialog[open]') === null) heading.current?.focus()
    hasBeenElsewhere = true
  }, [title])
  return (
    <div className="page-head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  )
}
