/** Starts the app in its document (index.html). */
import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import './ui/theme/outline.css';
import { removeDrawing } from './features/accounts/signIn/removeDrawing.ts';
import { startApp } from './start/startApp.tsx';

// What stands until a page of the app does goes away then (ui/theme/outline.css). A page takes over what was typed into
// a drawing of it; one that broke does not.
void startApp(document.getElementById('root') as HTMLElement, (fault) => {
  document.getElementById('outline')?.remove();
  if (fault !== undefined) removeDrawing();
});
