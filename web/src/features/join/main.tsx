/**
 * The entry point of the join page: its styles, and nothing else that would delay its first paint. The browser shows
 * the form that the server drew, then the script takes it over.
 */
import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
import './joinStyles.ts';
import { recordEarlyClicks } from '../../light/earlyClicks.ts';
import { painted } from '../../light/painted.ts';

const root = document.getElementById('root') as HTMLElement;
const stopRecording = recordEarlyClicks(root);
if (root.firstElementChild) await painted();
const { hydrateJoinPage } = await import('./rendering/hydrateJoinPage.tsx');
const fetchRoom = async () => (await import('../../start/startRoom.tsx')).startRoom;
hydrateJoinPage(root, fetchRoom, stopRecording());
