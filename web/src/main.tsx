import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import './ui/theme/outline.css';
import { startApp } from './startApp.tsx';

// What index.html shows until a page stands (ui/theme/outline.css) goes away then.
void startApp(document.getElementById('root') as HTMLElement, () => document.getElementById('outline')?.remove());
