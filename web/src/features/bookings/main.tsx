/**
 * The entry point of a public page: its styles, and nothing else that would delay its first paint. The browser shows
 * what the server rendered, then the script takes it over.
 */
import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
// Before the styles of the components, which override it.
import './frame/parts.module.css';
import './publicStyles.ts';
import { recordEarlyClicks } from '../../light/earlyClicks.ts';
import { painted } from '../../light/painted.ts';

const root = document.getElementById('root') as HTMLElement;
const stopRecording = recordEarlyClicks(root);
if (root.firstElementChild) await painted();
// If the server rendered nothing, the page is most likely about one's own booking.
else void import('./own/ownPages.ts').catch(() => {});
const { hydratePage } = await import('./rendering/hydrate.tsx');
hydratePage(root, stopRecording());
