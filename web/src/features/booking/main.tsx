/**
 * Where a public page begins: its style, and nothing else that would stand in the way of its first paint. What the server
 * drew is seen first; then comes the script that takes it over.
 */
import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
import '../../ui/light/light.css';
import './frame.css';
import './landscape.css';
import './event.css';
import './therapist.css';
import './still.css';
import './forms.css';
import { hearEarly } from './early.ts';

/** Done when the page was painted, at once in a tab that nobody looks at. */
const painted = () =>
  new Promise<void>((resolve) => {
    if (document.visibilityState === 'hidden') resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });

const root = document.getElementById('root') as HTMLElement;
const stopHearing = hearEarly(root);
if (root.firstElementChild) await painted();
const { wake } = await import('./wake.tsx');
wake(root, stopHearing());
