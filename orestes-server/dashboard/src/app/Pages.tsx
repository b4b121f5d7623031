import { ApiPage } from '../api/ApiPage'
import { CachingPage } from '../caching/CachingPage'
import { DataPage } from '../data/DataPage'
import { ExplainPage } from '../explain/ExplainPage'
import { HealthPage } from '../health/HealthPage'
import { LivePage } from '../live/LivePage'
import { LogsPage } from '../logs/LogsPage'
import { SchemaPage } from '../schema/SchemaPage'
import { UsersPage } from '../users/UsersPage'
import { SettingsPage } from '../settings/SettingsPage'
import { useRoute } from './route'

/** The page that the address names. */
export function Pages() {
  const route = useRoute()
  switch (route.page) {
    case 'data':
      return <DataPage route={route} />
    case 'schema':
      return <SchemaPage bucket={route.bucket} />
    case 'users':
      return <UsersPage />
    case 'explain':
      return <ExplainPage route={route} key={JSON.stringify(route)} />
    case 'live':
      return <LivePage />
    case 'caching':
      return <CachingPage />
    case 'health':
      return <HealthPage />
    case 'logs':
      return <LogsPage />
    case 'api':
      return <ApiPage />
    case 'settings':
      return <SettingsPage />
  }
}
