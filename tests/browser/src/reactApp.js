/** Lists the items of a group, live, below the title of one of them; for any React. */
export function createApp(createElement, { OrestesProvider, useLive, useObject }) {
  function Title({ id }) {
    const { data: item } = useObject(id, { suspense: true })
    return createElement('h1', null, item?.name ?? 'gone')
  }

  function List({ db, group }) {
    const { data, isConnected } = useLive(db.bucket('Item').find({ group }).sort({ name: 1 }), {
      suspense: true,
    })
    const rows = data.map(({ id, name }) => createElement('li', { key: id }, name))
    return createElement('ul', { className: isConnected ? 'live' : 'waiting' }, rows)
  }

  return ({ db, snapshot, group, id }) =>
    createElement(
      OrestesProvider,
      { client: db, snapshot },
      createElement(Title, { id }),
      createElement(List, { db, group }),
    )
}
