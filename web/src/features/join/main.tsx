import 'virtual:palettes.css';
import '../../ui/theme/tokens.css';
import '../../ui/theme/voice.css';
import { createRoot } from 'react-dom/client';
import { JoinPage } from './JoinPage.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(<JoinPage />);
