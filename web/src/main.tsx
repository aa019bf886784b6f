/** Starts the app in its document (index.html). */
import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import './ui/theme/outline.css';
import { removeDrawing } from './features/accounts/signIn/removeDrawing.ts';
import { startApp } from './start/startApp.tsx';

// The outline is removed once a page of the app is drawn (ui/theme/outline.css). A page takes over text typed into its
// prerendered form; a broken page does not.
void startApp(document.getElementById('root') as HTMLElement, (fault) => {
  document.getElementById('outline')?.remove();
  if (fault !== undefined) removeDrawing();
});
