import { percent } from '../server/quantities'

/** A part of a whole as a bar, and in words for those who do not see it. */
export function Share({ share }: { readonly share: number }) {
  return (
    <>
      <span className="only-spoken">{percent(share)}</span>
      <svg className="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share * 100} height="10" />
      </svg>
    </>
  )
}
