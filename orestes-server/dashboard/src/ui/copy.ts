/**
Puts a text on the clipboard.

@returns whether it is there; browsers keep the clipboard from pages that come over plain HTTP, except from this machine
*/
export async function copied(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  return (
    clipboard?.writeText(text).then(
      () => true,
      () => false,
    ) ?? false
  )
}

/** Selects what an element shows, for the user to copy. */
export function select(element: Element): void {
  getSelection()?.selectAllChildren(element)
}
