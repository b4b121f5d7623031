import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { loadAhead } from './app/pageCode'
import { parseRoute } from './app/route'
import './styles/shell.css'
import './styles/controls.css'
import './styles/grid.css'
import './styles/pages.css'
import './styles/charts.css'
import './styles/log.css'

loadAhead(parseRoute(location.hash).page)
createRoot(document.getElementById('app') as HTMLElement).render(<App />)
