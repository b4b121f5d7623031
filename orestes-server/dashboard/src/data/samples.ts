/** A class with objects to begin with. */
export interface Sample {
  readonly bucket: string
  readonly title: string
  readonly about: string
  readonly fields: { readonly [name: string]: string }
  readonly objects: readonly { readonly [field: string]: unknown }[]
}

const day = (n: number) => new Date(Date.UTC(2026, 0, n, 9)).toISOString()

export const SAMPLES: readonly Sample[] = [
  {
    bucket: 'Todo',
    title: 'A to-do list',
    about: 'Texts, numbers, yes or no, times and tags',
    fields: {
      text: 'String',
      done: 'Boolean',
      priority: 'Integer',
      due: 'DateTime',
      tags: 'collection.List[/db/String]',
    },
    objects: [
      { id: 'milk', text: 'Buy milk', done: false, priority: 2, due: day(5), tags: ['shop'] },
      { id: 'plants', text: 'Water the plants', done: true, priority: 1, due: day(2), tags: ['home'] },
      { id: 'taxes', text: 'Do the taxes', done: false, priority: 3, due: day(31), tags: ['paper'] },
      { id: 'call', text: 'Call Ann back', done: false, priority: 2, due: day(6), tags: [] },
      { id: 'bike', text: 'Mend the bike', done: false, priority: 1, due: null, tags: ['home', 'outside'] },
      { id: 'cake', text: 'Bake a cake', done: true, priority: 1, due: day(9), tags: ['home'] },
      { id: 'stamps', text: 'Buy stamps', done: false, priority: 1, due: null, tags: ['shop', 'paper'] },
      { id: 'window', text: 'Clean the windows', done: false, priority: 1, due: day(20), tags: ['home'] },
    ],
  },
  {
    bucket: 'Employee',
    title: 'A team',
    about: 'Objects that refer to each other',
    fields: { name: 'String', role: 'String', salary: 'Double', since: 'Date', reportsTo: 'Employee' },
    objects: [
      { id: 'ada', name: 'Ada', role: 'Head', salary: 7200, since: '2019-03-01', reportsTo: null },
      {
        id: 'bo',
        name: 'Bo',
        role: 'Design',
        salary: 5100,
        since: '2021-06-15',
        reportsTo: '/db/Employee/ada',
      },
      {
        id: 'cy',
        name: 'Cy',
        role: 'Back end',
        salary: 5600,
        since: '2020-01-07',
        reportsTo: '/db/Employee/ada',
      },
      {
        id: 'di',
        name: 'Di',
        role: 'Front end',
        salary: 5400,
        since: '2022-09-01',
        reportsTo: '/db/Employee/cy',
      },
      {
        id: 'ed',
        name: 'Ed',
        role: 'Apprentice',
        salary: 2100,
        since: '2025-08-01',
        reportsTo: '/db/Employee/di',
      },
    ],
  },
]
