/**
 * The emails about bookings, in the four languages. Subjects are neutral and contain nothing that anyone typed: someone
 * who looks over a shoulder or into a shared mailbox learns neither what the product is for nor what was booked.
 *
 * Braces are filled in: `{host}` the therapist, `{person}` the attendee, `{until}` a time of day in the event's zone,
 * `{zone}` that zone.
 */
import type { Language } from '@fieldroom/contract/text';
import type { EmailWords } from '../../../emails/emails.ts';

export const EMAILS = [
  'held',
  'alreadyBooked',
  'confirmed',
  'newBooking',
  'added',
  /** The private link again, to a confirmed attendee who asked for it. */
  'linkAgain',
  /** The links of all live bookings of an address, to that address. */
  'links',
  'cancelledByClient',
  /** The same to the therapist. */
  'bookingCancelled',
  'cancelledByTherapist',
  'eventCancelled',
  'eventChanged',
] as const;
export type BookingEmail = (typeof EMAILS)[number];

export interface CommonWords {
  event: string;
  days: string;
  time: string;
  place: string;
  online: string;
  places: string;
  price: string;
  /** Of a booking with several places: `{all}` together, `{each}` for one. */
  priceOfSeveral: string;
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
  /** For an event of several days: one file for each. */
  calendarGoneDays: string;
  calendarChanged: string;
  /** In the calendar entry of an online event, which must not contain the private link. */
  calendarRoom: string;
  /** To attendees who haven't confirmed yet when the event changes. */
  stillHeld: string;
}

export const COMMON: Readonly<Record<Language, CommonWords>> = {
  en: {
    event: 'Event',
    days: 'Date',
    time: 'Time',
    place: 'Place',
    online: 'Online',
    places: 'Places',
    price: 'Price',
    priceOfSeveral: '{all} ({each} per person)',
    free: 'Free',
    host: 'Your host',
    person: 'Booked by',
    reason: 'The reason given',
    was: 'Until now',
    is: 'From now on',
    room: 'The event takes place online. From 30 minutes before the start the same link takes you to the waiting room.',
    privateLink:
      'This link is only for you: anyone who has it can view and cancel your booking. Please don’t share it.',
    calendarNew: 'Open the attached file to add the event to your calendar.',
    calendarGone: 'Open the attached file to remove the event from your calendar.',
    calendarGoneDays: 'Open the attached files, one for each day, to remove the event from your calendar.',
    calendarChanged: 'Open the attached file to update the event in your calendar.',
    calendarRoom: 'From 30 minutes before the start, the link in our email takes you to the waiting room.',
    stillHeld:
      'Your booking hasn’t been confirmed yet. We’re holding your place until {until} ({zone}). To confirm it, please use the link in our earlier email.',
  },
  de: {
    event: 'Veranstaltung',
    days: 'Datum',
    time: 'Uhrzeit',
    place: 'Ort',
    online: 'Online',
    places: 'Plätze',
    price: 'Preis',
    priceOfSeveral: '{all} ({each} pro Person)',
    free: 'Kostenlos',
    host: 'Leitung',
    person: 'Gebucht von',
    reason: 'Angegebener Grund',
    was: 'Bisher',
    is: 'Ab jetzt',
    room: 'Die Veranstaltung findet online statt. Ab 30 Minuten vor Beginn gelangen Sie über denselben Link in den Warteraum.',
    privateLink:
      'Dieser Link ist nur für Sie bestimmt: Wer ihn hat, kann Ihre Buchung sehen und stornieren. Bitte geben Sie ihn nicht weiter.',
    calendarNew: 'Öffnen Sie die angehängte Datei, um die Veranstaltung in Ihren Kalender zu übernehmen.',
    calendarGone: 'Öffnen Sie die angehängte Datei, um die Veranstaltung aus Ihrem Kalender zu entfernen.',
    calendarGoneDays:
      'Öffnen Sie die angehängten Dateien, eine für jeden Tag, um die Veranstaltung aus Ihrem Kalender zu entfernen.',
    calendarChanged: 'Öffnen Sie die angehängte Datei, um die Veranstaltung in Ihrem Kalender zu aktualisieren.',
    calendarRoom: 'Ab 30 Minuten vor Beginn gelangen Sie über den Link in unserer E-Mail in den Warteraum.',
    stillHeld:
      'Ihre Buchung ist noch nicht bestätigt. Wir halten den Platz bis {until} Uhr ({zone}) für Sie frei. Zum Bestätigen verwenden Sie bitte den Link in unserer früheren E-Mail.',
  },
  hu: {
    event: 'Esemény',
    days: 'Dátum',
    time: 'Időpont',
    place: 'Helyszín',
    online: 'Online',
    places: 'Helyek száma',
    price: 'Ár',
    priceOfSeveral: '{all} ({each} személyenként)',
    free: 'Ingyenes',
    host: 'Az esemény vezetője',
    person: 'Foglaló neve',
    reason: 'A megadott indok',
    was: 'Eddig',
    is: 'Mostantól',
    room: 'Az esemény online zajlik. A kezdés előtti 30. perctől ugyanez a link a váróterembe vezeti Önt.',
    privateLink:
      'Ez a link csak Önnek szól: akinél megvan, láthatja és lemondhatja a foglalását. Kérjük, ne adja tovább.',
    calendarNew: 'Az esemény naptárba vételéhez nyissa meg a csatolt fájlt.',
    calendarGone: 'Az esemény naptárból való törléséhez nyissa meg a csatolt fájlt.',
    calendarGoneDays: 'Az esemény naptárból való törléséhez nyissa meg a csatolt fájlokat (minden naphoz egy).',
    calendarChanged: 'Az esemény naptárban való frissítéséhez nyissa meg a csatolt fájlt.',
    calendarRoom: 'A kezdés előtti 30. perctől az e-mailünkben lévő link a váróterembe vezeti Önt.',
    stillHeld:
      'A foglalása még nincs megerősítve. A helyet {until}-ig ({zone}) tartjuk fenn Önnek. A megerősítéshez kérjük, használja a korábbi e-mailünkben lévő linket.',
  },
  ro: {
    event: 'Eveniment',
    days: 'Data',
    time: 'Ora',
    place: 'Locul',
    online: 'Online',
    places: 'Locuri',
    price: 'Preț',
    priceOfSeveral: '{all} ({each} de persoană)',
    free: 'Gratuit',
    host: 'Condus de',
    person: 'Rezervat de',
    reason: 'Motivul comunicat',
    was: 'Până acum',
    is: 'De acum înainte',
    room: 'Evenimentul are loc online. Cu 30 de minute înainte de început, același link vă duce în sala de așteptare.',
    privateLink:
      'Acest link este destinat numai dumneavoastră: oricine îl are poate vedea și anula rezervarea. Vă rugăm să nu îl dați mai departe.',
    calendarNew: 'Deschideți fișierul atașat pentru a adăuga evenimentul în calendar.',
    calendarGone: 'Deschideți fișierul atașat pentru a șterge evenimentul din calendar.',
    calendarGoneDays:
      'Deschideți fișierele atașate, câte unul pentru fiecare zi, pentru a șterge evenimentul din calendar.',
    calendarChanged: 'Deschideți fișierul atașat pentru a actualiza evenimentul în calendar.',
    calendarRoom: 'Cu 30 de minute înainte de început, linkul din e-mailul nostru vă duce în sala de așteptare.',
    stillHeld:
      'Rezervarea dumneavoastră nu este confirmată încă. Vă păstrăm locul până la ora {until} ({zone}). Pentru a-l confirma, folosiți linkul din e-mailul nostru anterior.',
  },
};

const EN: Readonly<Record<BookingEmail, EmailWords>> = {
  held: {
    subject: 'Please confirm your booking',
    before: [
      'Thank you for your interest. Someone used this address to reserve a place at the event below.',
      'We’re holding the place for you until {until} ({zone}). Please confirm or decline on the page that this button opens. Opening the page doesn’t confirm anything yet.',
    ],
    button: 'Confirm or decline',
    after: [
      'We share your name, your email address and your phone number with {host}, who runs the event.',
      'After that time you can still confirm as long as a place is free.',
      'If you didn’t reserve anything, you can decline on the same page or simply ignore this email: your place will be released automatically.',
    ],
  },
  alreadyBooked: {
    subject: 'You already have a booking',
    before: [
      'Someone, most likely you, has just tried to book the event below with this email address. Your place is already booked, so nothing has changed.',
    ],
    button: 'View booking',
    after: ['If this wasn’t you, you don’t need to do anything. Your booking stays as it is.'],
  },
  confirmed: {
    subject: 'Your booking is confirmed',
    before: ['Thank you, your place is booked. We look forward to seeing you.'],
    button: 'View or cancel booking',
    after: [],
  },
  newBooking: {
    subject: 'You have a new booking',
    before: ['A place at one of your events has just been booked and confirmed.'],
    button: 'Go to my events',
    after: ['You’ll find the contact details and all participants on your events page.'],
  },
  added: {
    subject: 'A place has been booked for you',
    before: ['{host} has booked a place for you at the event below. You don’t need to confirm anything.'],
    button: 'View or cancel booking',
    after: ['If you can’t come or don’t know about this booking, please cancel it on the page that the button opens.'],
  },
  linkAgain: {
    subject: 'The link to your booking',
    before: ['You asked us to send you the link to your booking again. It opens your booking for the event below.'],
    button: 'View or cancel booking',
    after: ['If you didn’t ask for it, you don’t need to do anything. Your booking stays as it is.'],
  },
  links: {
    subject: 'The links to your bookings',
    before: [
      'Someone, most likely you, asked for the links to the bookings made with this email address. Here they are.',
    ],
    button: 'View or cancel booking',
    after: [
      'These links are only for you: anyone who has them can view, confirm and cancel your bookings. Please don’t share them.',
      'If you didn’t ask for them, you don’t need to do anything. Your bookings stay as they are.',
    ],
  },
  cancelledByClient: {
    subject: 'Your booking has been cancelled',
    before: ['You’ve cancelled your booking. Your place is available to others again.'],
    button: 'See all events',
    after: ['We’d be glad to welcome you another time.'],
  },
  bookingCancelled: {
    subject: 'A booking has been cancelled',
    before: ['A participant has cancelled their place at one of your events. It can be booked again.'],
    button: 'Go to my events',
    after: ['The participant has been informed.'],
  },
  cancelledByTherapist: {
    subject: 'Your booking has been cancelled',
    before: ['We’re sorry to tell you that {host} has cancelled your booking.'],
    button: 'See all events',
    after: ['If you have questions, you can write to {host} on the event page.'],
  },
  eventCancelled: {
    subject: 'Your appointment won’t take place',
    before: [
      'We’re sorry to tell you that {host} has cancelled the event below. Your booking has ended; you don’t need to do anything.',
    ],
    button: 'See all events',
    after: ['We’d be glad to welcome you another time.'],
  },
  eventChanged: {
    subject: 'Your appointment has changed',
    before: ['{host} has changed the event you booked. You keep your place. Please check whether you can still come.'],
    button: 'View or cancel booking',
    after: [],
  },
};

const DE: Readonly<Record<BookingEmail, EmailWords>> = {
  held: {
    subject: 'Bitte bestätigen Sie Ihre Buchung',
    before: [
      'vielen Dank für Ihr Interesse. Mit dieser E-Mail-Adresse wurde ein Platz bei der folgenden Veranstaltung reserviert.',
      'Wir halten den Platz bis {until} Uhr ({zone}) für Sie frei. Bitte bestätigen Sie ihn auf der Seite, die diese Schaltfläche öffnet, oder lehnen Sie ihn dort ab. Das Öffnen der Seite allein bestätigt noch nichts.',
    ],
    button: 'Bestätigen oder ablehnen',
    after: [
      'Wir geben Ihren Namen, Ihre E-Mail-Adresse und Ihre Telefonnummer an die Leitung der Veranstaltung weiter ({host}).',
      'Auch nach Ablauf dieser Zeit können Sie noch bestätigen, solange ein Platz frei ist.',
      'Falls Sie nichts reserviert haben, können Sie auf derselben Seite ablehnen oder diese E-Mail einfach ignorieren: Der Platz wird dann automatisch wieder frei.',
    ],
  },
  alreadyBooked: {
    subject: 'Sie haben bereits gebucht',
    before: [
      'jemand – vermutlich Sie selbst – wollte gerade mit dieser E-Mail-Adresse die folgende Veranstaltung buchen. Ihr Platz ist bereits gebucht, deshalb wurde nichts geändert.',
    ],
    button: 'Buchung ansehen',
    after: ['Falls Sie das nicht waren, müssen Sie nichts tun. Ihre Buchung bleibt, wie sie ist.'],
  },
  confirmed: {
    subject: 'Ihre Buchung ist bestätigt',
    before: ['vielen Dank, Ihr Platz ist gebucht. Sie sind herzlich willkommen.'],
    button: 'Buchung ansehen oder stornieren',
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
    before: ['{host} hat für Sie einen Platz bei der folgenden Veranstaltung gebucht. Sie müssen nichts bestätigen.'],
    button: 'Buchung ansehen oder stornieren',
    after: [
      'Falls Sie nicht kommen können oder von dieser Buchung nichts wissen, stornieren Sie sie bitte auf der Seite, die sich mit der Schaltfläche öffnet.',
    ],
  },
  linkAgain: {
    subject: 'Der Link zu Ihrer Buchung',
    before: [
      'auf Ihren Wunsch senden wir Ihnen den Link zu Ihrer Buchung noch einmal. Er öffnet Ihre Buchung für die folgende Veranstaltung.',
    ],
    button: 'Buchung ansehen oder stornieren',
    after: ['Falls Sie nicht darum gebeten haben, müssen Sie nichts tun. Ihre Buchung bleibt, wie sie ist.'],
  },
  links: {
    subject: 'Die Links zu Ihren Buchungen',
    before: [
      'jemand, vermutlich Sie selbst, hat um die Links zu den Buchungen mit dieser E-Mail-Adresse gebeten. Hier sind sie.',
    ],
    button: 'Buchung ansehen oder stornieren',
    after: [
      'Diese Links sind nur für Sie bestimmt: Wer sie hat, kann Ihre Buchungen sehen, bestätigen und stornieren. Bitte geben Sie sie nicht weiter.',
      'Falls Sie nicht darum gebeten haben, müssen Sie nichts tun. Ihre Buchungen bleiben, wie sie sind.',
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
      'bei einer Ihrer Veranstaltungen wurde eine Buchung von der Person, die gebucht hatte, storniert. Der Platz kann wieder gebucht werden.',
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
      'leider müssen wir Ihnen mitteilen, dass {host} die folgende Veranstaltung abgesagt hat. Ihre Buchung ist damit beendet; Sie müssen nichts tun.',
    ],
    button: 'Alle Veranstaltungen ansehen',
    after: ['Wir würden uns freuen, Sie ein anderes Mal begrüßen zu dürfen.'],
  },
  eventChanged: {
    subject: 'Ihr Termin hat sich geändert',
    before: [
      '{host} hat die Veranstaltung geändert, die Sie gebucht haben. Sie behalten Ihren Platz. Bitte prüfen Sie, ob Sie kommen können.',
    ],
    button: 'Buchung ansehen oder stornieren',
    after: [],
  },
};

const HU: Readonly<Record<BookingEmail, EmailWords>> = {
  held: {
    subject: 'Kérjük, erősítse meg foglalását',
    before: [
      'Köszönjük érdeklődését. Ezzel az e-mail-címmel helyet foglaltak az alábbi eseményre.',
      'A helyet {until}-ig ({zone}) tartjuk fenn Önnek. Kérjük, erősítse meg vagy utasítsa el a foglalást azon az oldalon, amelyet ez a gomb nyit meg. Az oldal megnyitása önmagában még semmit sem erősít meg.',
    ],
    button: 'Megerősítés vagy elutasítás',
    after: [
      'Az Ön nevét, e-mail-címét és telefonszámát megosztjuk az esemény vezetőjével ({host}).',
      'Ha ez az időpont már elmúlt, a foglalást akkor is megerősítheti, amíg van szabad hely.',
      'Ha nem Ön foglalt, ugyanazon az oldalon elutasíthatja a foglalást, vagy egyszerűen hagyja figyelmen kívül ezt az e-mailt: a hely ekkor automatikusan felszabadul.',
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
  linkAgain: {
    subject: 'A foglalásához vezető link',
    before: [
      'Kérésére újra elküldjük a foglalásához vezető linket. Ez az alábbi eseményre szóló foglalását nyitja meg.',
    ],
    button: 'Foglalásom megtekintése vagy lemondása',
    after: ['Ha nem Ön kérte, nincs teendője. A foglalása változatlan marad.'],
  },
  links: {
    subject: 'A foglalásaihoz vezető linkek',
    before: [
      'Valaki, valószínűleg Ön, kérte az ezzel az e-mail-címmel tett foglalásokhoz vezető linkeket. Itt találja őket.',
    ],
    button: 'Foglalásom megtekintése vagy lemondása',
    after: [
      'Ezek a linkek csak Önnek szólnak: akinél megvannak, láthatja, megerősítheti és lemondhatja a foglalásait. Kérjük, ne adja tovább őket.',
      'Ha nem Ön kérte, nincs teendője. A foglalásai változatlanok maradnak.',
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
    subject: 'A foglalását lemondták',
    before: ['Sajnálattal értesítjük, hogy az esemény vezetője ({host}) lemondta az Ön foglalását.'],
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

const RO: Readonly<Record<BookingEmail, EmailWords>> = {
  held: {
    subject: 'Vă rugăm să vă confirmați rezervarea',
    before: [
      'Vă mulțumim pentru interes. Cu această adresă de e-mail a fost rezervat un loc la evenimentul de mai jos.',
      'Vă păstrăm locul până la ora {until} ({zone}). Vă rugăm să confirmați sau să refuzați pe pagina pe care o deschide acest buton. Deschiderea paginii nu confirmă încă nimic.',
    ],
    button: 'Confirmați sau refuzați',
    after: [
      'Numele, adresa de e-mail și numărul dumneavoastră de telefon sunt comunicate persoanei care conduce evenimentul ({host}).',
      'Dacă ora a trecut, puteți confirma în continuare cât timp mai este un loc liber.',
      'Dacă nu ați rezervat nimic, puteți refuza pe aceeași pagină sau puteți ignora acest e-mail: locul se eliberează automat.',
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
    button: 'La evenimentele mele',
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
  linkAgain: {
    subject: 'Linkul către rezervarea dumneavoastră',
    before: [
      'La cererea dumneavoastră, vă trimitem din nou linkul către rezervare. Acesta deschide rezervarea dumneavoastră la evenimentul de mai jos.',
    ],
    button: 'Vedeți sau anulați rezervarea',
    after: ['Dacă nu ați cerut acest lucru, nu trebuie să faceți nimic. Rezervarea rămâne neschimbată.'],
  },
  links: {
    subject: 'Linkurile către rezervările dumneavoastră',
    before: [
      'Cineva, cel mai probabil dumneavoastră, a cerut linkurile către rezervările făcute cu această adresă de e-mail. Iată-le.',
    ],
    button: 'Vedeți sau anulați rezervarea',
    after: [
      'Aceste linkuri sunt destinate numai dumneavoastră: oricine le are poate vedea, confirma și anula rezervările. Vă rugăm să nu le dați mai departe.',
      'Dacă nu ați cerut acest lucru, nu trebuie să faceți nimic. Rezervările rămân neschimbate.',
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
    button: 'La evenimentele mele',
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
      'Cu regret vă anunțăm că {host} a anulat evenimentul de mai jos. Rezervarea dumneavoastră s-a încheiat; nu trebuie să faceți nimic.',
    ],
    button: 'Vedeți toate evenimentele',
    after: ['Ne-ar face plăcere să vă întâmpinăm cu altă ocazie.'],
  },
  eventChanged: {
    subject: 'Programarea dumneavoastră s-a modificat',
    before: [
      '{host} a modificat evenimentul pe care l-ați rezervat. Locul rămâne al dumneavoastră. Vă rugăm să verificați dacă puteți veni.',
    ],
    button: 'Vedeți sau anulați rezervarea',
    after: [],
  },
};

export const WORDS: Readonly<Record<Language, Readonly<Record<BookingEmail, EmailWords>>>> = {
  en: EN,
  de: DE,
  hu: HU,
  ro: RO,
};
