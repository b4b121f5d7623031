import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import './styles/shell.css'
import './styles/controls.css'
import './styles/grid.css'
import './styles/pages.css'
import './styles/charts.css'
import './styles/log.css'

createRoot(document.getElementById('app') as HTMLElement).render(<App />)
