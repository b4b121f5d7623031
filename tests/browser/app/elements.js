/** Small helpers for the page. */

export const byId = (id) => document.getElementById(id)

export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** Runs an action and shows its error, if any. */
export async function attempt(action) {
  byId('problem').textContent = ''
  try {
    await action()
  } catch (error) {
    byId('problem').textContent = error.message
  }
}

/**
Has a form run this action with its values, instead of loading a page; the form is cleared at once.
*/
export function onSubmit(id, action) {
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.target))
    event.target.reset()
    attempt(() => action(values, event.submitter))
  })
}
