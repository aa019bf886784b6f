import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
import './frame.css';
import './landscape.css';
import './event.css';
import './therapist.css';
import './still.css';
import './forms.css';
import { createRoot } from 'react-dom/client';
import { PublicArea } from './PublicArea.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(<PublicArea />);
