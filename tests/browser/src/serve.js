/** Serves the application of `app` with each version of the client, until it is stopped. */
import { Site, VERSIONS } from './site.js'

const site = await Site.start()
VERSIONS.forEach((version) => console.log(`baqend ${version}: ${site.app(version)}`))
