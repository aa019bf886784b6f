/**
 * The emails about accounts, in the four languages. Subjects are neutral: anyone who looks over a shoulder or into a
 * shared mailbox learns nothing about what the product is for. No email repeats what a stranger typed into a form, not
 * even a name, so that strangers cannot use our emails to send their own words.
 */
import type { Language } from '@fieldroom/contract/text';
import type { EmailWords } from '../../../emails/emails.ts';

export const EMAILS = ['verify', 'finish', 'alreadyRegistered', 'reset', 'passwordChanged'] as const;
export type AccountEmail = (typeof EMAILS)[number];

const EN: Readonly<Record<AccountEmail, EmailWords>> = {
  verify: {
    subject: 'Please confirm your email address',
    before: [
      'Thank you for registering with Fieldroom.',
      'Please confirm that this email address is yours. Then you can sign in.',
    ],
    button: 'Confirm email address',
    after: [
      'The link works once and is valid for 24 hours.',
      'If you didn’t register, you don’t need to do anything: without your confirmation nobody can sign in with this address.',
    ],
  },
  finish: {
    subject: 'Please complete your registration',
    before: [
      'This email address was registered with Fieldroom more than once before it was confirmed.',
      'Please choose your password now, so that only you know it. This also confirms your address.',
    ],
    button: 'Choose a password',
    after: [
      'The link works once and is valid for one hour.',
      'If you didn’t register, you don’t need to do anything: without your confirmation nobody can sign in with this address.',
    ],
  },
  alreadyRegistered: {
    subject: 'You already have an account',
    before: [
      'Someone, most likely you, has just tried to register with this email address. You already have a Fieldroom account, so nothing has changed.',
      'You can sign in as usual. If you’ve forgotten your password, you can set a new one:',
    ],
    button: 'Set a new password',
    after: [
      'The link works once and is valid for one hour.',
      'If this wasn’t you, you don’t need to do anything. Your account and your password stay as they are.',
    ],
  },
  reset: {
    subject: 'Set a new password',
    before: ['Someone, most likely you, asked for a new password for your Fieldroom account.', 'You can set it here:'],
    button: 'Set a new password',
    after: [
      'The link works once and is valid for one hour.',
      'If this wasn’t you, you don’t need to do anything. Your password stays as it is.',
    ],
  },
  passwordChanged: {
    subject: 'Your password has been changed',
    before: [
      'The password of your Fieldroom account has just been changed. You’ve been signed out on all devices; please sign in with the new password.',
      'If this wasn’t you, please set a new password right away:',
    ],
    button: 'Set a new password',
    after: ['If it was you, you don’t need to do anything.'],
  },
};

const DE: Readonly<Record<AccountEmail, EmailWords>> = {
  verify: {
    subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    before: [
      'vielen Dank für Ihre Registrierung bei Fieldroom.',
      'Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört. Danach können Sie sich anmelden.',
    ],
    button: 'E-Mail-Adresse bestätigen',
    after: [
      'Der Link funktioniert einmal und gilt 24 Stunden.',
      'Falls Sie sich nicht registriert haben, müssen Sie nichts tun: Ohne Ihre Bestätigung kann sich niemand mit dieser Adresse anmelden.',
    ],
  },
  finish: {
    subject: 'Bitte schließen Sie Ihre Registrierung ab',
    before: [
      'diese E-Mail-Adresse wurde mehrmals bei Fieldroom registriert, bevor sie bestätigt war.',
      'Bitte wählen Sie jetzt Ihr Passwort, damit nur Sie es kennen. Damit ist auch Ihre Adresse bestätigt.',
    ],
    button: 'Passwort wählen',
    after: [
      'Der Link funktioniert einmal und gilt eine Stunde.',
      'Falls Sie sich nicht registriert haben, müssen Sie nichts tun: Ohne Ihre Bestätigung kann sich niemand mit dieser Adresse anmelden.',
    ],
  },
  alreadyRegistered: {
    subject: 'Sie haben bereits ein Konto',
    before: [
      'jemand – vermutlich Sie selbst – wollte sich gerade mit dieser E-Mail-Adresse registrieren. Sie haben bereits ein Konto bei Fieldroom, deshalb wurde nichts geändert.',
      'Sie können sich wie gewohnt anmelden. Falls Sie Ihr Passwort vergessen haben, können Sie ein neues festlegen:',
    ],
    button: 'Neues Passwort festlegen',
    after: [
      'Der Link funktioniert einmal und gilt eine Stunde.',
      'Falls Sie das nicht waren, müssen Sie nichts tun. Ihr Konto und Ihr Passwort bleiben, wie sie sind.',
    ],
  },
  reset: {
    subject: 'Neues Passwort festlegen',
    before: ['für Ihr Konto bei Fieldroom wurde ein neues Passwort angefordert.', 'Hier können Sie es festlegen:'],
    button: 'Neues Passwort festlegen',
    after: [
      'Der Link funktioniert einmal und gilt eine Stunde.',
      'Falls Sie das nicht waren, müssen Sie nichts tun. Ihr Passwort bleibt, wie es ist.',
    ],
  },
  passwordChanged: {
    subject: 'Ihr Passwort wurde geändert',
    before: [
      'das Passwort Ihres Kontos bei Fieldroom wurde soeben geändert. Alle Geräte wurden abgemeldet; bitte melden Sie sich mit dem neuen Passwort an.',
      'Falls Sie das nicht waren, legen Sie bitte sofort ein neues Passwort fest:',
    ],
    button: 'Neues Passwort festlegen',
    after: ['Falls Sie es selbst waren, müssen Sie nichts weiter tun.'],
  },
};

const HU: Readonly<Record<AccountEmail, EmailWords>> = {
  verify: {
    subject: 'Kérjük, erősítse meg e-mail-címét',
    before: [
      'Köszönjük, hogy regisztrált a Fieldroomban.',
      'Kérjük, erősítse meg, hogy ez az e-mail-cím az Öné. Ezután be tud jelentkezni.',
    ],
    button: 'E-mail-cím megerősítése',
    after: [
      'A link egyszer használható, és 24 óráig érvényes.',
      'Ha nem Ön regisztrált, nincs teendője: az Ön megerősítése nélkül ezzel a címmel senki sem tud bejelentkezni.',
    ],
  },
  finish: {
    subject: 'Kérjük, fejezze be a regisztrációt',
    before: [
      'Ezt az e-mail-címet a megerősítése előtt többször is regisztrálták a Fieldroomban.',
      'Kérjük, most válasszon jelszót, hogy azt csak Ön ismerje. Ezzel a címét is megerősíti.',
    ],
    button: 'Jelszó választása',
    after: [
      'A link egyszer használható, és egy óráig érvényes.',
      'Ha nem Ön regisztrált, nincs teendője: az Ön megerősítése nélkül ezzel a címmel senki sem tud bejelentkezni.',
    ],
  },
  alreadyRegistered: {
    subject: 'Önnek már van fiókja',
    before: [
      'Valaki – valószínűleg Ön – az imént megpróbált regisztrálni ezzel az e-mail-címmel. Önnek már van Fieldroom-fiókja, ezért semmi sem változott.',
      'A megszokott módon be tud jelentkezni. Ha elfelejtette a jelszavát, itt újat adhat meg:',
    ],
    button: 'Új jelszó megadása',
    after: [
      'A link egyszer használható, és egy óráig érvényes.',
      'Ha nem Ön volt, nincs teendője. A fiókja és a jelszava változatlan marad.',
    ],
  },
  reset: {
    subject: 'Új jelszó megadása',
    before: ['Új jelszót kértek az Ön Fieldroom-fiókjához.', 'Itt adhatja meg:'],
    button: 'Új jelszó megadása',
    after: [
      'A link egyszer használható, és egy óráig érvényes.',
      'Ha nem Ön volt, nincs teendője. A jelszava változatlan marad.',
    ],
  },
  passwordChanged: {
    subject: 'Jelszava megváltozott',
    before: [
      'Fieldroom-fiókjának jelszava az imént megváltozott. Minden eszközt kijelentkeztettünk; kérjük, jelentkezzen be az új jelszóval.',
      'Ha nem Ön volt, kérjük, azonnal adjon meg új jelszót:',
    ],
    button: 'Új jelszó megadása',
    after: ['Ha Ön volt, nincs további teendője.'],
  },
};

const RO: Readonly<Record<AccountEmail, EmailWords>> = {
  verify: {
    subject: 'Vă rugăm să vă confirmați adresa de e-mail',
    before: [
      'Vă mulțumim că v-ați înregistrat la Fieldroom.',
      'Vă rugăm să confirmați că această adresă de e-mail vă aparține. După aceea vă puteți autentifica.',
    ],
    button: 'Confirmați adresa de e-mail',
    after: [
      'Linkul poate fi folosit o singură dată și este valabil 24 de ore.',
      'Dacă nu v-ați înregistrat, nu trebuie să faceți nimic: fără confirmarea dumneavoastră nimeni nu se poate autentifica cu această adresă.',
    ],
  },
  finish: {
    subject: 'Vă rugăm să finalizați înregistrarea',
    before: [
      'Această adresă de e-mail a fost înregistrată la Fieldroom de mai multe ori înainte de a fi confirmată.',
      'Vă rugăm să vă alegeți acum parola, pentru ca numai dumneavoastră să o cunoașteți. Astfel confirmați și adresa.',
    ],
    button: 'Alegeți parola',
    after: [
      'Linkul poate fi folosit o singură dată și este valabil o oră.',
      'Dacă nu v-ați înregistrat, nu trebuie să faceți nimic: fără confirmarea dumneavoastră nimeni nu se poate autentifica cu această adresă.',
    ],
  },
  alreadyRegistered: {
    subject: 'Aveți deja un cont',
    before: [
      'Cineva, cel mai probabil dumneavoastră, a încercat să se înregistreze cu această adresă de e-mail. Aveți deja un cont Fieldroom, așa că nu s-a modificat nimic.',
      'Vă puteți autentifica la fel ca până acum. Dacă nu vă mai amintiți parola, puteți stabili una nouă:',
    ],
    button: 'Stabiliți o parolă nouă',
    after: [
      'Linkul poate fi folosit o singură dată și este valabil o oră.',
      'Dacă nu ați fost dumneavoastră, nu trebuie să faceți nimic. Contul și parola rămân neschimbate.',
    ],
  },
  reset: {
    subject: 'Stabiliți o parolă nouă',
    before: ['A fost cerută o parolă nouă pentru contul dumneavoastră Fieldroom.', 'O puteți stabili aici:'],
    button: 'Stabiliți o parolă nouă',
    after: [
      'Linkul poate fi folosit o singură dată și este valabil o oră.',
      'Dacă nu ați fost dumneavoastră, nu trebuie să faceți nimic. Parola rămâne neschimbată.',
    ],
  },
  passwordChanged: {
    subject: 'Parola dumneavoastră a fost schimbată',
    before: [
      'Parola contului dumneavoastră Fieldroom tocmai a fost schimbată. Toate dispozitivele au fost deconectate; vă rugăm să vă autentificați cu parola nouă.',
      'Dacă nu ați fost dumneavoastră, vă rugăm să stabiliți imediat o parolă nouă:',
    ],
    button: 'Stabiliți o parolă nouă',
    after: ['Dacă ați fost dumneavoastră, nu mai trebuie să faceți nimic.'],
  },
};

export const WORDS: Readonly<Record<Language, Readonly<Record<AccountEmail, EmailWords>>>> = {
  en: EN,
  de: DE,
  hu: HU,
  ro: RO,
};
