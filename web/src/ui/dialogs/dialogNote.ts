/** A note that a page shows at the top of each of its dialogs, which hide the page on a phone; nothing by default. */
import { createContext, type ReactNode } from 'react';

/** Provides the note; `Modal` draws it. */
export const DialogNoteContext = createContext<ReactNode>(null);
