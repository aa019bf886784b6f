/**
 * Where a public page begins: its style, and nothing else that would stand in the way of its first paint. What the
 * server drew is seen first; then comes the script that takes it over.
 */
import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
import '../../light/light.css';
import './frame/frame.css';
import './frame/landscape.css';
import './event/event.css';
import './therapist/therapist.css';
import './frame/still.css';
import './frame/forms.css';
import { hearEarly } from './earlyClicks.ts';

/** Done when the page was painted, at once in a tab that nobody looks at. */
const painted = () =>
  new Promise<void>((resolve) => {
    if (document.visibilityState === 'hidden') resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });

const root = document.getElementById('root') as HTMLElement;
const stopHearing = hearEarly(root);
if (root.firstElementChild) await painted();
// Where the server drew nothing the page is most likely about one's own booking.
else void import('./ownPages.ts').catch(() => {});
const { wake } = await import('./hydrate.tsx');
wake(root, stopHearing());
