/**
 * The words around a message from the contact form, in the four languages. The subject is neutral and the same for every
 * message; what a stranger wrote stands in the letter as a quotation, as plain text.
 */
import type { Language } from '@fieldroom/contract/text';

export interface ContactWords {
  subject: string;
  greeting: string;
  /** To a therapist, whose page the form stands on. */
  toTherapist: string;
  /** To whoever runs the service. */
  toOperator: string;
  message: string;
  from: string;
  /** The address was typed by whoever wrote. */
  answer: string;
  closing: string;
  signature: string;
}

export const WORDS: Readonly<Record<Language, ContactWords>> = {
  en: {
    subject: 'A message for you',
    greeting: 'Hello,',
    toTherapist: 'Somebody has written to you through the form on your public page.',
    toOperator: 'Somebody has written to you through the contact form.',
    message: 'The message',
    from: 'Address given',
    answer:
      'If you reply to this letter, your answer goes to the address above. It was typed into the form and has not been checked.',
    closing: 'With kind regards',
    signature: 'Fieldroom',
  },
  de: {
    subject: 'Eine Nachricht für Sie',
    greeting: 'Guten Tag,',
    toTherapist: 'Über das Formular auf Ihrer öffentlichen Seite hat Ihnen jemand geschrieben.',
    toOperator: 'Über das Kontaktformular hat Ihnen jemand geschrieben.',
    message: 'Die Nachricht',
    from: 'Angegebene Adresse',
    answer:
      'Wenn Sie auf dieses Schreiben antworten, geht Ihre Antwort an die oben genannte Adresse. Sie wurde im Formular eingegeben und nicht überprüft.',
    closing: 'Mit freundlichen Grüßen',
    signature: 'Fieldroom',
  },
  hu: {
    subject: 'Üzenete érkezett',
    greeting: 'Jó napot kívánunk!',
    toTherapist: 'Nyilvános oldalának űrlapján keresztül üzenetet küldtek Önnek.',
    toOperator: 'A kapcsolatfelvételi űrlapon keresztül üzenetet küldtek Önnek.',
    message: 'Az üzenet',
    from: 'A megadott cím',
    answer:
      'Ha válaszol erre a levélre, válasza a fenti címre érkezik. A címet az űrlapon adták meg, és nem ellenőriztük.',
    closing: 'Üdvözlettel',
    signature: 'Fieldroom',
  },
  ro: {
    subject: 'Un mesaj pentru dumneavoastră',
    greeting: 'Bună ziua,',
    toTherapist: 'Cineva v-a scris prin formularul de pe pagina dumneavoastră publică.',
    toOperator: 'Cineva v-a scris prin formularul de contact.',
    message: 'Mesajul',
    from: 'Adresa indicată',
    answer:
      'Dacă răspundeți la această scrisoare, răspunsul ajunge la adresa de mai sus. Ea a fost introdusă în formular și nu a fost verificată.',
    closing: 'Cu stimă',
    signature: 'Fieldroom',
  },
};
