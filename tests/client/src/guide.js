import { connectAsRoot, withClasses } from './clients.js'

const SINGLE = {
  name: 'String',
  rank: 'Integer',
  rating: 'Double',
  open: 'Boolean',
  visited: 'DateTime',
  since: 'Date',
  opens: 'Time',
  spot: 'GeoPoint',
  facts: 'JsonObject',
  notes: 'JsonArray',
}

const PLACES = [
  ['harbour', 'Harbour', 'de', [53.545, 9.966], ['water', 'free']],
  ['gate', 'Gate', 'de', [52.516, 13.377], ['old', 'free']],
  ['garden', 'Garden', 'dk', [55.673, 12.568], ['old', 'park', 'fun']],
  ['nowhere', 'nowhere', null, null, []],
]

/**
A travel guide as an application would model it: places in countries, with fields of all types.
*/
export class Guide {
  /** The names of the classes; versions of the client share a server. */
  constructor(suffix) {
    this.countryName = `guide.Country${suffix}`
    this.placeName = `Place${suffix}`
    this.museumName = `Museum${suffix}`
    this.addressName = `Address${suffix}`
  }

  /** Creates the classes, their indexes and four places: all but `nowhere` have every value. */
  static async open(client, url) {
    const guide = new Guide(client.suffix)
    guide.db = await withClasses(client, url, (metamodel, types) => guide.#classes(metamodel, types))
    guide.Country = guide.db[guide.countryName]
    guide.Place = guide.db[guide.placeName]
    guide.Museum = guide.db[guide.museumName]
    guide.Address = guide.db[guide.addressName]
    await guide.#index(client, url)
    await guide.#fill()
    return guide
  }

  #classes(metamodel, types) {
    const basic = (name) => metamodel.baseType(name)
    const single = (name, type) => new types.SingularAttribute(name, type)
    const add = (type, ...attributes) => {
      attributes.forEach((attribute) => type.addAttribute(attribute))
      return type
    }
    const address = new types.EmbeddableType(this.addressName)
    add(address, single('street', basic('String')), single('zip', basic('Integer')))
    const country = new types.EntityType(this.countryName, metamodel.entity(Object))
    add(country, single('name', basic('String')))
    const place = new types.EntityType(this.placeName, metamodel.entity(Object))
    const museum = add(new types.EntityType(this.museumName, place), single('theme', basic('String')))
    add(
      place,
      ...Object.entries(SINGLE).map(([name, type]) => single(name, basic(type))),
      single('address', address),
      single('country', country),
      new types.ListAttribute('near', place),
      new types.ListAttribute('grades', basic('Integer')),
      new types.ListAttribute('former', address),
      new types.SetAttribute('tags', basic('String')),
      new types.SetAttribute('days', basic('Date')),
      new types.MapAttribute('prices', basic('String'), basic('Double')),
      new types.MapAttribute('seen', basic('Date'), country),
    )
    return [museum, place, country, address]
  }

  async #index(client, url) {
    const { metamodel } = await connectAsRoot(client, url)
    const { DbIndex } = client.api.metamodel
    await metamodel.createIndex(this.placeName, new DbIndex({ spot: 'geo' }))
    await metamodel.createIndex(this.placeName, new DbIndex([{ rank: DbIndex.ASC }, { name: DbIndex.DESC }]))
  }

  async #fill() {
    this.germany = await new this.Country({ id: 'de', name: 'Germany' }).insert()
    this.denmark = await new this.Country({ id: 'dk', name: 'Denmark' }).insert()
    this.places = []
    for (const row of PLACES) {
      this.places.push(await this.#place(this.places.length, ...row).insert())
    }
  }

  #place(i, id, name, country, spot, tags) {
    const place = new this.Place({ id, name, rank: i + 1, rating: i + 0.5, open: i % 2 === 0 })
    place.tags = new Set(tags)
    place.grades = tags.map((_, grade) => grade + i)
    place.former = [new this.Address({ street: 'Old', zip: i })]
    place.facts = { 'with.dot': i, deep: { er: [i, { x: i }] } }
    place.near = this.places.slice()
    place.prices = new Map([
      ['child', i],
      ['adult', i + 2.5],
    ])
    return country ? this.#complete(i, place, country === 'de' ? this.germany : this.denmark, spot) : place
  }

  #complete(i, place, country, spot) {
    place.country = country
    place.spot = new this.db.GeoPoint(...spot)
    place.visited = new Date(Date.UTC(2020 + i, 1, 29 - i, 12, 30, 0, 80))
    place.since = new Date(Date.UTC(1900 + i, 0, 1))
    place.opens = new Date(Date.UTC(1970, 0, 1, 8 + i))
    place.address = new this.Address({ street: `Street ${i}`, zip: 20000 + i })
    place.seen = new Map([[new Date(Date.UTC(2021, 0, 1 + i)), country]])
    return place
  }
}
