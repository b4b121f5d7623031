import { Component, type ReactNode } from 'react'
import { Failure } from '../ui/Failure'

interface PartBoundaryProps {
  readonly children: ReactNode
}

interface Failed {
  readonly error?: Error
}

/** Says what is wrong in the place of a page that cannot be shown; the way to the others stays. */
export class PartBoundary extends Component<PartBoundaryProps, Failed> {
  override state: Failed = {}

  static getDerivedStateFromError(error: Error): Failed {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <main tabIndex={-1} className="page">
        <Failure error={error} />
      </main>
    )
  }
}
