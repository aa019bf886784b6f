/** What all emails have in common, in the four languages: greeting, closing, signature. Braces are filled in. */
import type { Language } from '@fieldroom/contract/text';

export interface FrameWords {
  /** Without a name: the address is not proven yet, or no name is known. */
  readonly greeting: string;
  readonly greetingByName: string;
  /** Before the address of the button. */
  readonly fallback: string;
  readonly closing: string;
  readonly signature: string;
}

export const FRAMES: Readonly<Record<Language, FrameWords>> = {
  en: {
    greeting: 'Hello,',
    greetingByName: 'Dear {person},',
    fallback: 'If the button does not work, copy this address:',
    closing: 'With kind regards',
    signature: 'Fieldroom',
  },
  de: {
    greeting: 'Guten Tag,',
    greetingByName: 'Guten Tag {person},',
    fallback: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse:',
    closing: 'Mit freundlichen Grüßen',
    signature: 'Fieldroom',
  },
  hu: {
    greeting: 'Jó napot kívánunk!',
    greetingByName: 'Tisztelt {person}!',
    fallback: 'Ha a gomb nem működik, másolja ki ezt a címet:',
    closing: 'Üdvözlettel',
    signature: 'Fieldroom',
  },
  ro: {
    greeting: 'Bună ziua,',
    greetingByName: 'Bună ziua, {person},',
    fallback: 'Dacă butonul nu funcționează, copiați această adresă:',
    closing: 'Cu stimă',
    signature: 'Fieldroom',
  },
};
