import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import { startRoom } from './startRoom.tsx';

void startRoom(document.getElementById('root') as HTMLElement);
