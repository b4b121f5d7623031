import { db } from 'baqend'
import { attempt, byId, onSubmit } from './elements.js'

/** Sign-up, log-in and log-out; `changed` is called when the user of the page changes. */
export function openDoor(changed) {
  const show = () => {
    const user = db.User.me
    byId('door').hidden = Boolean(user)
    byId('user').hidden = !user
    byId('name').textContent = user ? user.username : ''
    document.body.classList.toggle('member', Boolean(user))
    return changed()
  }
  onSubmit('door', async ({ name, password }, { value }) => {
    await db.User[value](name, password)
    await show()
  })
  byId('logout').addEventListener('click', () => attempt(() => db.User.logout().then(show)))
  return show()
}
