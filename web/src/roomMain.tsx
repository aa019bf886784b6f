/** Starts the room in a document of its own (room.html). */
import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import { startRoom } from './start/startRoom.tsx';

void startRoom(document.getElementById('root') as HTMLElement);
