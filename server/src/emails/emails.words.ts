/** What all emails have in common, in the four languages: greeting, closing, signature. Braces are filled in. */
import type { Language } from '@fieldroom/contract/text';

export interface FrameWords {
  /** Without a name: the address is not proven yet, or no name is known. */
  readonly greeting: string;
  readonly greetingByName: string;
  readonly closing: string;
  readonly signature: string;
}

export const FRAMES: Readonly<Record<Language, FrameWords>> = {
  en: {
    greeting: 'Hello,',
    greetingByName: 'Dear {person},',
    closing: 'With kind regards',
    signature: 'Fieldroom',
  },
  de: {
    greeting: 'Guten Tag,',
    greetingByName: 'Guten Tag {person},',
    closing: 'Mit freundlichen Grüßen',
    signature: 'Fieldroom',
  },
  hu: {
    greeting: 'Jó napot kívánunk!',
    greetingByName: 'Tisztelt {person}!',
    closing: 'Üdvözlettel',
    signature: 'Fieldroom',
  },
  ro: {
    greeting: 'Bună ziua,',
    greetingByName: 'Bună ziua, {person},',
    closing: 'Cu stimă',
    signature: 'Fieldroom',
  },
};
