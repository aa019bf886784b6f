import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import './ui/theme/mantine.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { startWords } from './platform/i18n/app.ts';
import { fetchAhead } from './routes.tsx';

void startWords(fetchAhead(window.location.pathname)).finally(() => {
  createRoot(document.getElementById('root') as HTMLElement).render(<App />);
});
