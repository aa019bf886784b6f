/** The few words that the server writes into the head of public pages. What the page itself says stands in the web's locales. */
import type { Language } from '@fieldroom/contract/text';

interface Words {
  readonly events: (name: string) => string;
  readonly group: string;
  readonly single: string;
  readonly online: string;
  readonly cancelled: string;
  readonly about: (name: string) => string;
  readonly unknown: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    events: (name) => `Events with ${name}`,
    group: 'Group event',
    single: 'One-on-one session',
    online: 'online',
    cancelled: 'Cancelled',
    about: (name) => `Coming events with ${name}: dates, places and booking.`,
    unknown: 'This page does not exist',
  },
  de: {
    events: (name) => `Veranstaltungen mit ${name}`,
    group: 'Gruppenveranstaltung',
    single: 'Einzeltermin',
    online: 'online',
    cancelled: 'Abgesagt',
    about: (name) => `Kommende Veranstaltungen mit ${name}: Termine, Orte und Buchung.`,
    unknown: 'Diese Seite gibt es nicht',
  },
  hu: {
    events: (name) => `${name} eseményei`,
    group: 'Csoportos esemény',
    single: 'Egyéni alkalom',
    online: 'online',
    cancelled: 'Elmarad',
    about: (name) => `${name} közelgő eseményei: időpontok, helyszínek és foglalás.`,
    unknown: 'Ez az oldal nem létezik',
  },
  ro: {
    events: (name) => `Evenimente cu ${name}`,
    group: 'Eveniment de grup',
    single: 'Ședință individuală',
    online: 'online',
    cancelled: 'Anulat',
    about: (name) => `Evenimente viitoare cu ${name}: date, locuri și rezervare.`,
    unknown: 'Această pagină nu există',
  },
};
