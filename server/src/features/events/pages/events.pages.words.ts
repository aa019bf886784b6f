/**
 * The few words that the server writes into the head of public pages. The texts of the pages themselves are in the
 * web's locales.
 */
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
    single: 'One-on-one',
    online: 'online',
    cancelled: 'Cancelled',
    about: (name) => `Upcoming events with ${name}: dates, places and booking.`,
    unknown: 'We can’t find this page',
  },
  de: {
    events: (name) => `Veranstaltungen mit ${name}`,
    group: 'Gruppenveranstaltung',
    single: 'Einzeltermin',
    online: 'online',
    cancelled: 'Abgesagt',
    about: (name) => `Kommende Veranstaltungen mit ${name}: Termine, Orte und Buchung.`,
    unknown: 'Diese Seite finden wir nicht',
  },
  hu: {
    events: (name) => `${name} eseményei`,
    group: 'Csoportos esemény',
    single: 'Egyéni tanácsadás',
    online: 'online',
    cancelled: 'Lemondva',
    about: (name) => `${name} közelgő eseményei: időpontok, helyszínek és foglalás.`,
    unknown: 'Ezt az oldalt nem találjuk',
  },
  ro: {
    events: (name) => `Evenimente cu ${name}`,
    group: 'Eveniment de grup',
    single: 'Ședință individuală',
    online: 'online',
    cancelled: 'Anulat',
    about: (name) => `Evenimente viitoare cu ${name}: întâlniri, locuri și rezervare.`,
    unknown: 'Nu găsim această pagină',
  },
};
