/**
 * The letters of bookings in the four languages. Subjects are neutral and carry nothing that anybody typed: whoever looks
 * over a shoulder or into a shared mailbox learns neither what the product is for nor what was booked.
 *
 * In braces stands what is filled in: `{host}` who invites, `{person}` who booked, `{until}` a time of day in the event's
 * zone, `{zone}` that zone.
 */
import type { Language } from '@fieldroom/contract/text';

export const LETTERS = [
  'held',
  'alreadyBooked',
  'confirmed',
  'newBooking',
  'added',
  'cancelledByClient',
  /** The same to the therapist. */
  'bookingCancelled',
  'cancelledByTherapist',
  'eventCancelled',
  'eventChanged',
] as const;
export type BookingLetter = (typeof LETTERS)[number];

export interface LetterWords {
  subject: string;
  before: readonly string[];
  button: string;
  after: readonly string[];
}

export interface CommonWords {
  /** To somebody whose name is not to be said (yet). */
  greeting: string;
  greetingByName: string;
  closing: string;
  signature: string;
  event: string;
  days: string;
  time: string;
  place: string;
  online: string;
  price: string;
  free: string;
  host: string;
  person: string;
  reason: string;
  was: string;
  is: string;
  /** To confirmed people, where the event is online. */
  room: string;
  privateLink: string;
  calendarNew: string;
  calendarGone: string;
  /** Where the event has several days: a file for each. */
  calendarGoneDays: string;
  calendarChanged: string;
  /** In the calendar itself, where an event is online: no private link may stand there. */
  calendarRoom: string;
  /** To those whose hold is not confirmed yet when the event changes. */
  stillHeld: string;
}

export const COMMON: Readonly<Record<Language, CommonWords>> = {
  en: {
    greeting: 'Hello,',
    greetingByName: 'Dear {person},',
    closing: 'With kind regards',
    signature: 'Fieldroom',
    event: 'Event',
    days: 'Date',
    time: 'Time',
    place: 'Place',
    online: 'Online',
    price: 'Price',
    free: 'Free of charge',
    host: 'Your host',
    person: 'Booked by',
    reason: 'The reason given',
    was: 'Until now',
    is: 'From now on',
    room: 'The event takes place online. From 30 minutes before the start the same link leads you to the waiting room.',
    privateLink:
      'This link is meant for you alone: whoever has it can see and cancel your booking. Please do not pass it on.',
    calendarNew: 'The attached calendar file puts the event into your calendar.',
    calendarGone: 'The attached calendar file takes the event out of your calendar.',
    calendarGoneDays: 'The attached calendar files, one for each day, take the event out of your calendar.',
    calendarChanged: 'The attached calendar file brings your calendar up to date.',
    calendarRoom: 'From 30 minutes before the start, the link in our letter leads you to the waiting room.',
    stillHeld:
      'Your booking has not been confirmed yet. To keep your place, please use the link in our earlier letter.',
  },
  de: {
    greeting: 'Guten Tag,',
    greetingByName: 'Guten Tag {person},',
    closing: 'Mit freundlichen Grüßen',
    signature: 'Fieldroom',
    event: 'Veranstaltung',
    days: 'Datum',
    time: 'Uhrzeit',
    place: 'Ort',
    online: 'Online',
    price: 'Preis',
    free: 'Kostenlos',
    host: 'Es lädt ein',
    person: 'Gebucht von',
    reason: 'Als Grund wurde angegeben',
    was: 'Bisher',
    is: 'Ab jetzt',
    room: 'Die Veranstaltung findet online statt. Ab 30 Minuten vor Beginn gelangen Sie über denselben Link in den Warteraum.',
    privateLink:
      'Dieser Link ist nur für Sie bestimmt: Wer ihn hat, kann Ihre Buchung sehen und stornieren. Bitte geben Sie ihn nicht weiter.',
    calendarNew: 'Mit der angehängten Kalenderdatei können Sie die Veranstaltung in Ihren Kalender übernehmen.',
    calendarGone: 'Die angehängte Kalenderdatei entfernt die Veranstaltung aus Ihrem Kalender.',
    calendarGoneDays:
      'Die angehängten Kalenderdateien, eine für jeden Tag, entfernen die Veranstaltung aus Ihrem Kalender.',
    calendarChanged: 'Die angehängte Kalenderdatei bringt Ihren Kalender auf den neuesten Stand.',
    calendarRoom: 'Ab 30 Minuten vor Beginn gelangen Sie über den Link in unserer Nachricht in den Warteraum.',
    stillHeld:
      'Ihre Buchung ist noch nicht bestätigt. Wenn Sie Ihren Platz behalten möchten, nutzen Sie bitte den Link in unserer früheren Nachricht.',
  },
  hu: {
    greeting: 'Jó napot kívánunk!',
    greetingByName: 'Tisztelt {person}!',
    closing: 'Üdvözlettel',
    signature: 'Fieldroom',
    event: 'Esemény',
    days: 'Dátum',
    time: 'Időpont',
    place: 'Helyszín',
    online: 'Online',
    price: 'Ár',
    free: 'Ingyenes',
    host: 'Vendéglátó',
    person: 'Foglaló neve',
    reason: 'A megadott indok',
    was: 'Eddig',
    is: 'Mostantól',
    room: 'Az esemény online zajlik. A kezdés előtt 30 perccel ugyanez a hivatkozás a váróterembe vezeti Önt.',
    privateLink:
      'Ez a hivatkozás csak Önnek szól: aki ismeri, láthatja és lemondhatja a foglalását. Kérjük, ne adja tovább.',
    calendarNew: 'A csatolt naptárfájllal felveheti az eseményt a naptárába.',
    calendarGone: 'A csatolt naptárfájl törli az eseményt a naptárából.',
    calendarGoneDays: 'A csatolt naptárfájlok – minden naphoz egy – törlik az eseményt a naptárából.',
    calendarChanged: 'A csatolt naptárfájl frissíti az eseményt a naptárában.',
    calendarRoom: 'A kezdés előtt 30 perccel a levelünkben lévő hivatkozás a váróterembe vezeti Önt.',
    stillHeld:
      'A foglalása még nincs megerősítve. Ha meg szeretné tartani a helyét, kérjük, használja a korábbi levelünkben lévő hivatkozást.',
  },
  ro: {
    greeting: 'Bună ziua,',
    greetingByName: 'Bună ziua, {person},',
    closing: 'Cu stimă',
    signature: 'Fieldroom',
    event: 'Eveniment',
    days: 'Data',
    time: 'Ora',
    place: 'Locul',
    online: 'Online',
    price: 'Preț',
    free: 'Gratuit',
    host: 'Gazda',
    person: 'Rezervat de',
    reason: 'Motivul comunicat',
    was: 'Până acum',
    is: 'De acum înainte',
    room: 'Evenimentul are loc online. Cu 30 de minute înainte de început, același link vă conduce în sala de așteptare.',
    privateLink:
      'Acest link este destinat numai dumneavoastră: oricine îl are poate vedea și anula rezervarea. Vă rugăm să nu îl dați mai departe.',
    calendarNew: 'Cu fișierul calendar atașat puteți adăuga evenimentul în calendarul dumneavoastră.',
    calendarGone: 'Fișierul calendar atașat șterge evenimentul din calendarul dumneavoastră.',
    calendarGoneDays:
      'Fișierele calendar atașate, câte unul pentru fiecare zi, șterg evenimentul din calendarul dumneavoastră.',
    calendarChanged: 'Fișierul calendar atașat actualizează evenimentul în calendarul dumneavoastră.',
    calendarRoom: 'Cu 30 de minute înainte de început, linkul din mesajul nostru vă conduce în sala de așteptare.',
    stillHeld:
      'Rezervarea dumneavoastră nu este încă confirmată. Dacă doriți să vă păstrați locul, vă rugăm să folosiți linkul din mesajul nostru anterior.',
  },
};

const EN: Readonly<Record<BookingLetter, LetterWords>> = {
  held: {
    subject: 'Please confirm your booking',
    before: [
      'Thank you for your interest. With this e-mail address a place was reserved at the event below.',
      'We are keeping the place for you until {until} ({zone}). Please confirm or decline on the page that this button opens; opening it decides nothing yet.',
    ],
    button: 'Confirm or decline',
    after: [
      'Your name, your e-mail address and your telephone number are shared with {host}, who leads the event.',
      'If that time has passed, you can still confirm as long as a place is free.',
      'If you did not reserve anything, you can decline on the same page or simply leave this letter unanswered: the place then becomes free by itself.',
    ],
  },
  alreadyBooked: {
    subject: 'You already have a booking',
    before: [
      'Somebody, most likely you, has just tried to book the event below with this e-mail address. Your place is already booked, so nothing has been changed.',
    ],
    button: 'See my booking',
    after: ['If this was not you, you do not need to do anything. Your booking stays as it is.'],
  },
  confirmed: {
    subject: 'Your booking is confirmed',
    before: ['Thank you, your place is booked. You are warmly welcome.'],
    button: 'See or cancel my booking',
    after: [],
  },
  newBooking: {
    subject: 'You have a new booking',
    before: ['A place at one of your events has just been booked and confirmed.'],
    button: 'Go to my events',
    after: ['You will find the contact details and all participants on the page of your events.'],
  },
  added: {
    subject: 'A place has been booked for you',
    before: ['{host} has booked a place for you at the event below. You do not need to confirm anything.'],
    button: 'See or cancel my booking',
    after: ['If you cannot come or do not know of this booking, please cancel it on the page behind the button.'],
  },
  cancelledByClient: {
    subject: 'Your booking has been cancelled',
    before: ['You have cancelled your booking. Your place is free again.'],
    button: 'See all events',
    after: ['We would be glad to welcome you another time.'],
  },
  bookingCancelled: {
    subject: 'A booking has been cancelled',
    before: ['A participant has cancelled their place at one of your events. It can be booked again.'],
    button: 'Go to my events',
    after: ['The participant has been informed.'],
  },
  cancelledByTherapist: {
    subject: 'Your booking has been cancelled',
    before: ['We are sorry to have to tell you that {host} has cancelled your booking.'],
    button: 'See all events',
    after: ['If you have questions, you can write to {host} on the page of the event.'],
  },
  eventCancelled: {
    subject: 'Your appointment will not take place',
    before: [
      'We are sorry to have to tell you that {host} has cancelled the event below. Your booking has therefore ended; you do not need to do anything.',
    ],
    button: 'See all events',
    after: ['We would be glad to welcome you another time.'],
  },
  eventChanged: {
    subject: 'Your appointment has changed',
    before: [
      '{host} has changed the event that you booked. Your place remains yours. Please check whether you can come.',
    ],
    button: 'See or cancel my booking',
    after: [],
  },
};

const DE: Readonly<Record<BookingLetter, LetterWords>> = {
  held: {
    subject: 'Bitte bestätigen Sie Ihre Buchung',
    before: [
      'vielen Dank für Ihr Interesse. Mit dieser E-Mail-Adresse wurde ein Platz bei der folgenden Veranstaltung reserviert.',
      'Wir halten den Platz bis {until} Uhr ({zone}) für Sie frei. Bitte bestätigen Sie ihn auf der Seite, die sich mit dieser Schaltfläche öffnet, oder lehnen Sie dort ab; das Öffnen allein entscheidet noch nichts.',
    ],
    button: 'Bestätigen oder ablehnen',
    after: [
      'Ihr Name, Ihre E-Mail-Adresse und Ihre Telefonnummer werden {host} mitgeteilt, der Leitung der Veranstaltung.',
      'Auch nach Ablauf dieser Zeit können Sie noch bestätigen, solange ein Platz frei ist.',
      'Falls Sie nichts reserviert haben, können Sie auf derselben Seite ablehnen oder diese Nachricht einfach unbeantwortet lassen: Der Platz wird dann von selbst wieder frei.',
    ],
  },
  alreadyBooked: {
    subject: 'Sie haben bereits gebucht',
    before: [
      'jemand – vermutlich Sie selbst – wollte gerade mit dieser E-Mail-Adresse die folgende Veranstaltung buchen. Ihr Platz ist bereits gebucht, deshalb wurde nichts geändert.',
    ],
    button: 'Meine Buchung ansehen',
    after: ['Falls Sie das nicht waren, brauchen Sie nichts zu tun. Ihre Buchung bleibt, wie sie ist.'],
  },
  confirmed: {
    subject: 'Ihre Buchung ist bestätigt',
    before: ['vielen Dank, Ihr Platz ist gebucht. Sie sind herzlich willkommen.'],
    button: 'Meine Buchung ansehen oder stornieren',
    after: [],
  },
  newBooking: {
    subject: 'Sie haben eine neue Buchung',
    before: ['bei einer Ihrer Veranstaltungen wurde soeben ein Platz gebucht und bestätigt.'],
    button: 'Zu meinen Veranstaltungen',
    after: ['Die Kontaktdaten und alle Teilnehmenden finden Sie auf der Seite Ihrer Veranstaltungen.'],
  },
  added: {
    subject: 'Für Sie wurde ein Platz gebucht',
    before: [
      '{host} hat für Sie einen Platz bei der folgenden Veranstaltung gebucht. Sie brauchen nichts zu bestätigen.',
    ],
    button: 'Meine Buchung ansehen oder stornieren',
    after: [
      'Falls Sie nicht kommen können oder von dieser Buchung nichts wissen, stornieren Sie sie bitte auf der Seite, die sich mit der Schaltfläche öffnet.',
    ],
  },
  cancelledByClient: {
    subject: 'Ihre Buchung wurde storniert',
    before: ['Sie haben Ihre Buchung storniert. Ihr Platz ist wieder frei.'],
    button: 'Alle Veranstaltungen ansehen',
    after: ['Wir würden uns freuen, Sie ein anderes Mal begrüßen zu dürfen.'],
  },
  bookingCancelled: {
    subject: 'Eine Buchung wurde storniert',
    before: [
      'bei einer Ihrer Veranstaltungen wurde eine Buchung von der angemeldeten Person storniert. Der Platz kann wieder gebucht werden.',
    ],
    button: 'Zu meinen Veranstaltungen',
    after: ['Die Person wurde benachrichtigt.'],
  },
  cancelledByTherapist: {
    subject: 'Ihre Buchung wurde storniert',
    before: ['leider müssen wir Ihnen mitteilen, dass {host} Ihre Buchung storniert hat.'],
    button: 'Alle Veranstaltungen ansehen',
    after: ['Falls Sie Fragen haben, können Sie auf der Seite der Veranstaltung an {host} schreiben.'],
  },
  eventCancelled: {
    subject: 'Ihr Termin findet nicht statt',
    before: [
      'leider müssen wir Ihnen mitteilen, dass {host} die folgende Veranstaltung abgesagt hat. Ihre Buchung ist damit beendet; Sie brauchen nichts zu tun.',
    ],
    button: 'Alle Veranstaltungen ansehen',
    after: ['Wir würden uns freuen, Sie ein anderes Mal begrüßen zu dürfen.'],
  },
  eventChanged: {
    subject: 'Ihr Termin hat sich geändert',
    before: [
      '{host} hat die Veranstaltung geändert, die Sie gebucht haben. Ihr Platz bleibt Ihnen erhalten. Bitte prüfen Sie, ob Sie kommen können.',
    ],
    button: 'Meine Buchung ansehen oder stornieren',
    after: [],
  },
};

const HU: Readonly<Record<BookingLetter, LetterWords>> = {
  held: {
    subject: 'Kérjük, erősítse meg foglalását',
    before: [
      'Köszönjük érdeklődését. Ezzel az e-mail-címmel helyet foglaltak az alábbi eseményre.',
      'A helyet {until}-ig ({zone}) tartjuk fenn Önnek. Kérjük, erősítse meg vagy utasítsa el a foglalást azon az oldalon, amelyet ez a gomb nyit meg; a megnyitás önmagában még semmit sem dönt el.',
    ],
    button: 'Megerősítés vagy elutasítás',
    after: [
      'Az Ön nevét, e-mail-címét és telefonszámát megosztjuk az esemény vezetőjével ({host}).',
      'Ha ez az időpont már elmúlt, a foglalást akkor is megerősítheti, amíg van szabad hely.',
      'Ha nem Ön foglalt, ugyanazon az oldalon elutasíthatja a foglalást, vagy egyszerűen hagyja megválaszolatlanul ezt a levelet: a hely ekkor magától felszabadul.',
    ],
  },
  alreadyBooked: {
    subject: 'Önnek már van foglalása',
    before: [
      'Valaki – valószínűleg Ön – az imént megpróbált ezzel az e-mail-címmel helyet foglalni az alábbi eseményre. Az Ön helye már le van foglalva, ezért semmi sem változott.',
    ],
    button: 'Foglalásom megtekintése',
    after: ['Ha nem Ön volt, nincs teendője. A foglalása változatlan marad.'],
  },
  confirmed: {
    subject: 'Foglalását megerősítettük',
    before: ['Köszönjük, a helyét lefoglaltuk. Szeretettel várjuk.'],
    button: 'Foglalásom megtekintése vagy lemondása',
    after: [],
  },
  newBooking: {
    subject: 'Új foglalása érkezett',
    before: ['Az imént helyet foglaltak az Ön egyik eseményére, és a foglalást meg is erősítették.'],
    button: 'Ugrás az eseményeimhez',
    after: ['Az elérhetőségeket és az összes résztvevőt az események oldalán találja.'],
  },
  added: {
    subject: 'Helyet foglaltak Önnek',
    before: [
      'Az esemény vezetője ({host}) helyet foglalt Önnek az alábbi eseményre. Önnek semmit sem kell megerősítenie.',
    ],
    button: 'Foglalásom megtekintése vagy lemondása',
    after: [
      'Ha nem tud eljönni, vagy nem tud erről a foglalásról, kérjük, mondja le azon az oldalon, amelyet a gomb nyit meg.',
    ],
  },
  cancelledByClient: {
    subject: 'Foglalását lemondta',
    before: ['Ön lemondta a foglalását. A helye ismét szabad.'],
    button: 'Összes esemény megtekintése',
    after: ['Örülnénk, ha egy másik alkalommal üdvözölhetnénk.'],
  },
  bookingCancelled: {
    subject: 'Egy foglalást lemondtak',
    before: ['Egy résztvevő lemondta a foglalását az Ön egyik eseményére. A hely ismét foglalható.'],
    button: 'Ugrás az eseményeimhez',
    after: ['A résztvevőt értesítettük.'],
  },
  cancelledByTherapist: {
    subject: 'Foglalását törölték',
    before: ['Sajnálattal értesítjük, hogy az esemény vezetője ({host}) törölte az Ön foglalását.'],
    button: 'Összes esemény megtekintése',
    after: ['Ha kérdése van, az esemény oldalán írhat az esemény vezetőjének.'],
  },
  eventCancelled: {
    subject: 'Az Ön időpontja elmarad',
    before: [
      'Sajnálattal értesítjük, hogy az alábbi eseményt a vezetője ({host}) lemondta. A foglalása ezzel megszűnt, Önnek nincs teendője.',
    ],
    button: 'Összes esemény megtekintése',
    after: ['Örülnénk, ha egy másik alkalommal üdvözölhetnénk.'],
  },
  eventChanged: {
    subject: 'Az Ön időpontja megváltozott',
    before: [
      'Az esemény vezetője ({host}) módosította az Ön által lefoglalt eseményt. A helye továbbra is az Öné. Kérjük, ellenőrizze, hogy el tud-e jönni.',
    ],
    button: 'Foglalásom megtekintése vagy lemondása',
    after: [],
  },
};

const RO: Readonly<Record<BookingLetter, LetterWords>> = {
  held: {
    subject: 'Vă rugăm să vă confirmați rezervarea',
    before: [
      'Vă mulțumim pentru interes. Cu această adresă de e-mail a fost rezervat un loc la evenimentul de mai jos.',
      'Vă păstrăm locul până la ora {until} ({zone}). Vă rugăm să confirmați sau să refuzați pe pagina pe care o deschide acest buton; simpla deschidere nu decide încă nimic.',
    ],
    button: 'Confirmați sau refuzați',
    after: [
      'Numele, adresa de e-mail și numărul dumneavoastră de telefon sunt comunicate persoanei care conduce evenimentul ({host}).',
      'Dacă ora a trecut, puteți confirma în continuare cât timp mai este un loc liber.',
      'Dacă nu ați rezervat nimic, puteți refuza pe aceeași pagină sau puteți lăsa acest mesaj fără răspuns: locul se eliberează atunci de la sine.',
    ],
  },
  alreadyBooked: {
    subject: 'Aveți deja o rezervare',
    before: [
      'Cineva, cel mai probabil dumneavoastră, a încercat să rezerve evenimentul de mai jos cu această adresă de e-mail. Locul dumneavoastră este deja rezervat, așa că nu s-a modificat nimic.',
    ],
    button: 'Vedeți rezervarea',
    after: ['Dacă nu ați fost dumneavoastră, nu trebuie să faceți nimic. Rezervarea rămâne neschimbată.'],
  },
  confirmed: {
    subject: 'Rezervarea dumneavoastră este confirmată',
    before: ['Vă mulțumim, locul dumneavoastră este rezervat. Vă așteptăm cu drag.'],
    button: 'Vedeți sau anulați rezervarea',
    after: [],
  },
  newBooking: {
    subject: 'Aveți o rezervare nouă',
    before: ['La unul dintre evenimentele dumneavoastră tocmai a fost rezervat și confirmat un loc.'],
    button: 'Mergeți la evenimentele mele',
    after: ['Datele de contact și toți participanții se găsesc pe pagina evenimentelor dumneavoastră.'],
  },
  added: {
    subject: 'A fost rezervat un loc pentru dumneavoastră',
    before: [
      '{host} a rezervat un loc pentru dumneavoastră la evenimentul de mai jos. Nu trebuie să confirmați nimic.',
    ],
    button: 'Vedeți sau anulați rezervarea',
    after: [
      'Dacă nu puteți veni sau nu știți de această rezervare, vă rugăm să o anulați pe pagina pe care o deschide butonul.',
    ],
  },
  cancelledByClient: {
    subject: 'Rezervarea dumneavoastră a fost anulată',
    before: ['V-ați anulat rezervarea. Locul este din nou liber.'],
    button: 'Vedeți toate evenimentele',
    after: ['Ne-ar face plăcere să vă întâmpinăm cu altă ocazie.'],
  },
  bookingCancelled: {
    subject: 'O rezervare a fost anulată',
    before: [
      'Cineva și-a anulat rezervarea la unul dintre evenimentele dumneavoastră. Locul poate fi rezervat din nou.',
    ],
    button: 'Mergeți la evenimentele mele',
    after: ['Persoana respectivă a fost informată.'],
  },
  cancelledByTherapist: {
    subject: 'Rezervarea dumneavoastră a fost anulată',
    before: ['Cu regret vă anunțăm că {host} a anulat rezervarea dumneavoastră.'],
    button: 'Vedeți toate evenimentele',
    after: ['Dacă aveți întrebări, puteți scrie pe pagina evenimentului. Mesajul ajunge la {host}.'],
  },
  eventCancelled: {
    subject: 'Programarea dumneavoastră nu mai are loc',
    before: [
      'Cu regret vă anunțăm că {host} a anulat evenimentul de mai jos. Rezervarea dumneavoastră a încetat astfel; nu trebuie să faceți nimic.',
    ],
    button: 'Vedeți toate evenimentele',
    after: ['Ne-ar face plăcere să vă întâmpinăm cu altă ocazie.'],
  },
  eventChanged: {
    subject: 'Programarea dumneavoastră s-a modificat',
    before: [
      '{host} a modificat evenimentul pe care l-ați rezervat. Locul vă este păstrat în continuare. Vă rugăm să verificați dacă puteți veni.',
    ],
    button: 'Vedeți sau anulați rezervarea',
    after: [],
  },
};

export const WORDS: Readonly<Record<Language, Readonly<Record<BookingLetter, LetterWords>>>> = {
  en: EN,
  de: DE,
  hu: HU,
  ro: RO,
};

/** Fills the braces in one pass, so that braces in what somebody typed stay text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
