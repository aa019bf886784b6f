import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
import '../../light/light.css';
import './door.css';
import { createRoot } from 'react-dom/client';
import { Door } from './Door.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(<Door />);
