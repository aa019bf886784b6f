/** Starts the room in its own document (room.html). */
import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import { startRoom } from './start/startRoom.tsx';

void startRoom(document.getElementById('root') as HTMLElement);
