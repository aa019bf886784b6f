/**
 * The emails about a person's own account, in the four languages. Subjects are neutral: anyone who looks over a
 * shoulder learns nothing about what the product is for. No email names a person or an address, because some go to an
 * address that may be a stranger's.
 */
import type { Language } from '@fieldroom/contract/text';
import type { EmailWords } from '../../../emails/emails.ts';

export const EMAILS = [
  'confirmEmail',
  'emailTaken',
  'emailAsked',
  'emailChanged',
  'emailRestored',
  'passwordChanged',
  'deletionAsked',
  'deletionTakenBack',
  'deleted',
] as const;
export type ProfileEmail = (typeof EMAILS)[number];

/** The reason given to people whose booking ends with the account. */
export const CLOSED: Readonly<Record<Language, string>> = {
  en: 'I no longer offer events here.',
  de: 'Ich biete hier keine Veranstaltungen mehr an.',
  hu: 'Itt már nem tartok eseményeket.',
  ro: 'Nu mai ofer evenimente aici.',
};

const EN: Readonly<Record<ProfileEmail, EmailWords>> = {
  confirmEmail: {
    subject: 'Please confirm your new email address',
    before: [
      'You’d like to use this email address for your Fieldroom account.',
      'Please confirm that it’s yours. From then on you sign in with it, and our emails come here.',
    ],
    button: 'Use this address',
    after: [
      'The link works once and is valid for {hours} hours. Until then everything stays as it is.',
      'If this wasn’t you, you don’t need to do anything.',
    ],
  },
  emailTaken: {
    subject: 'This address already has an account',
    before: [
      'Someone, most likely you, has asked to use this email address for another Fieldroom account. It already belongs to an account, so nothing has changed.',
      'You can sign in to the account of this address as usual:',
    ],
    button: 'Sign in',
    after: ['If this wasn’t you, you don’t need to do anything.'],
  },
  emailAsked: {
    subject: 'A new email address was requested',
    before: [
      'Another email address was requested for your Fieldroom account. It counts as soon as the link in the email to the new address has been opened.',
      'If this wasn’t you, somebody knows your password. Please set a new one now; that also stops the change:',
    ],
    button: 'Set a new password',
    after: ['If it was you, you don’t need to do anything here.'],
  },
  emailChanged: {
    subject: 'Your email address was changed',
    before: [
      'Your Fieldroom account now has another email address. All other devices have been signed out.',
      'If this wasn’t you, you can take the change back within {days} days. All devices will be signed out, and you’ll choose a new password:',
    ],
    button: 'Take the change back',
    after: ['If it was you, you don’t need to do anything. This address gets no more emails about the account.'],
  },
  emailRestored: {
    subject: 'The change of your address was taken back',
    before: [
      'The owner of the earlier email address has taken back the change to this one. The Fieldroom account has its earlier address again, and all devices have been signed out.',
      'If this surprises you and you own the earlier address, please set a new password there:',
    ],
    button: 'Set a new password',
    after: ['This address gets no more emails about the account.'],
  },
  passwordChanged: {
    subject: 'Your password was changed',
    before: [
      'The password of your Fieldroom account has just been changed in your profile. All other devices have been signed out.',
      'If this wasn’t you, please set a new password right away:',
    ],
    button: 'Set a new password',
    after: ['If it was you, you don’t need to do anything else.'],
  },
  deletionAsked: {
    subject: 'Your account will be deleted',
    before: [
      'You’ve asked us to delete your Fieldroom account. We’ll do so on {day}. Until then your public page is closed, and everything else stays as it is.',
      'If you’ve changed your mind, or if this wasn’t you, sign in before that day and choose to keep the account:',
    ],
    button: 'Sign in',
    after: [
      'After that day your data cannot be brought back. We keep only the bills, for as long as the law requires.',
    ],
  },
  deletionTakenBack: {
    subject: 'Your account stays',
    before: [
      'The deletion of your Fieldroom account has been taken back. Your public page is open again, and everything is as it was.',
    ],
    button: 'Sign in',
    after: ['If this wasn’t you, please set a new password.'],
  },
  deleted: {
    subject: 'Your account has been deleted',
    before: [
      'We’ve deleted your Fieldroom account with everything that belonged to it. We keep only the bills, for as long as the law requires.',
      'Thank you for the time you spent with us. You’re welcome to come back at any time:',
    ],
    button: 'Register again',
    after: ['This is our last email about this account.'],
  },
};

const DE: Readonly<Record<ProfileEmail, EmailWords>> = {
  confirmEmail: {
    subject: 'Bitte bestätigen Sie Ihre neue E-Mail-Adresse',
    before: [
      'Sie möchten diese E-Mail-Adresse für Ihr Fieldroom-Konto verwenden.',
      'Bitte bestätigen Sie, dass sie Ihnen gehört. Von da an melden Sie sich mit ihr an, und unsere E-Mails kommen hierher.',
    ],
    button: 'Diese Adresse verwenden',
    after: [
      'Der Link funktioniert einmal und ist {hours} Stunden gültig. Bis dahin bleibt alles, wie es ist.',
      'Wenn Sie das nicht waren, müssen Sie nichts tun.',
    ],
  },
  emailTaken: {
    subject: 'Diese Adresse hat bereits ein Konto',
    before: [
      'jemand, vermutlich Sie selbst, wollte diese E-Mail-Adresse für ein anderes Fieldroom-Konto verwenden. Sie gehört bereits zu einem Konto, deshalb hat sich nichts geändert.',
      'Im Konto dieser Adresse können Sie sich wie gewohnt anmelden:',
    ],
    button: 'Anmelden',
    after: ['Wenn Sie das nicht waren, müssen Sie nichts tun.'],
  },
  emailAsked: {
    subject: 'Eine neue E-Mail-Adresse wurde gewünscht',
    before: [
      'für Ihr Fieldroom-Konto wurde eine andere E-Mail-Adresse gewünscht. Sie gilt, sobald der Link in der E-Mail an die neue Adresse geöffnet wurde.',
      'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Bitte legen Sie jetzt ein neues fest; das hält auch die Änderung auf:',
    ],
    button: 'Neues Passwort festlegen',
    after: ['Wenn Sie es waren, müssen Sie hier nichts tun.'],
  },
  emailChanged: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    before: [
      'Ihr Fieldroom-Konto hat nun eine andere E-Mail-Adresse. Alle anderen Geräte wurden abgemeldet.',
      'Wenn Sie das nicht waren, können Sie die Änderung innerhalb von {days} Tagen zurücknehmen. Dabei werden alle Geräte abgemeldet, und Sie wählen ein neues Passwort:',
    ],
    button: 'Änderung zurücknehmen',
    after: ['Wenn Sie es waren, müssen Sie nichts tun. An diese Adresse kommen keine E-Mails zum Konto mehr.'],
  },
  emailRestored: {
    subject: 'Die Änderung Ihrer Adresse wurde zurückgenommen',
    before: [
      'die Person, der die frühere E-Mail-Adresse gehört, hat die Änderung auf diese hier zurückgenommen. Das Fieldroom-Konto hat wieder die frühere Adresse, und alle Geräte wurden abgemeldet.',
      'Wenn Sie das überrascht und die frühere Adresse Ihnen gehört, legen Sie bitte mit ihr ein neues Passwort fest:',
    ],
    button: 'Neues Passwort festlegen',
    after: ['An diese Adresse kommen keine E-Mails zum Konto mehr.'],
  },
  passwordChanged: {
    subject: 'Ihr Passwort wurde geändert',
    before: [
      'das Passwort Ihres Fieldroom-Kontos wurde soeben im Profil geändert. Alle anderen Geräte wurden abgemeldet.',
      'Wenn Sie das nicht waren, legen Sie bitte sofort ein neues Passwort fest:',
    ],
    button: 'Neues Passwort festlegen',
    after: ['Wenn Sie es waren, müssen Sie nichts weiter tun.'],
  },
  deletionAsked: {
    subject: 'Ihr Konto wird gelöscht',
    before: [
      'Sie haben uns gebeten, Ihr Fieldroom-Konto zu löschen. Wir tun das am {day}. Bis dahin ist Ihre öffentliche Seite geschlossen, alles andere bleibt, wie es ist.',
      'Wenn Sie es sich anders überlegt haben oder das nicht waren, melden Sie sich vor diesem Tag an und behalten Sie das Konto:',
    ],
    button: 'Anmelden',
    after: [
      'Danach lassen sich Ihre Daten nicht wiederherstellen. Wir bewahren nur die Rechnungen auf, so lange das Gesetz es verlangt.',
    ],
  },
  deletionTakenBack: {
    subject: 'Ihr Konto bleibt bestehen',
    before: [
      'die Löschung Ihres Fieldroom-Kontos wurde zurückgenommen. Ihre öffentliche Seite ist wieder offen, und alles ist wie zuvor.',
    ],
    button: 'Anmelden',
    after: ['Wenn Sie das nicht waren, legen Sie bitte ein neues Passwort fest.'],
  },
  deleted: {
    subject: 'Ihr Konto wurde gelöscht',
    before: [
      'wir haben Ihr Fieldroom-Konto mit allem gelöscht, was dazugehörte. Wir bewahren nur die Rechnungen auf, so lange das Gesetz es verlangt.',
      'Vielen Dank für die Zeit mit uns. Sie sind jederzeit wieder willkommen:',
    ],
    button: 'Neu registrieren',
    after: ['Das ist unsere letzte E-Mail zu diesem Konto.'],
  },
};

const HU: Readonly<Record<ProfileEmail, EmailWords>> = {
  confirmEmail: {
    subject: 'Kérjük, erősítse meg az új e-mail-címét',
    before: [
      'Ezt az e-mail-címet szeretné használni a Fieldroom-fiókjához.',
      'Kérjük, erősítse meg, hogy az Öné. Ettől kezdve ezzel jelentkezik be, és az e-mailjeink ide érkeznek.',
    ],
    button: 'Ezt a címet használom',
    after: [
      'A link egyszer használható, és {hours} óráig érvényes. Addig minden marad, ahogy van.',
      'Ha nem Ön kérte, nincs teendője.',
    ],
  },
  emailTaken: {
    subject: 'Ehhez a címhez már tartozik fiók',
    before: [
      'Valaki, valószínűleg Ön, egy másik Fieldroom-fiókhoz szerette volna használni ezt az e-mail-címet. A címhez már tartozik fiók, ezért semmi nem változott.',
      'A címhez tartozó fiókba a szokott módon jelentkezhet be:',
    ],
    button: 'Bejelentkezés',
    after: ['Ha nem Ön kérte, nincs teendője.'],
  },
  emailAsked: {
    subject: 'Új e-mail-címet kértek',
    before: [
      'A Fieldroom-fiókjához másik e-mail-címet kértek. Akkor lép érvénybe, amikor az új címre küldött e-mailben lévő linket megnyitják.',
      'Ha nem Ön kérte, valaki ismeri a jelszavát. Kérjük, adjon meg most új jelszót; ez a változtatásnak is véget vet:',
    ],
    button: 'Új jelszó megadása',
    after: ['Ha Ön kérte, itt nincs teendője.'],
  },
  emailChanged: {
    subject: 'Az e-mail-címe megváltozott',
    before: [
      'A Fieldroom-fiókjának mostantól másik e-mail-címe van. Minden más eszközt kijelentkeztettünk.',
      'Ha nem Ön tette, {days} napon belül visszavonhatja a változtatást. Ekkor minden eszközt kijelentkeztetünk, és Ön új jelszót ad meg:',
    ],
    button: 'A változtatás visszavonása',
    after: ['Ha Ön tette, nincs teendője. Erre a címre nem küldünk több e-mailt a fiókról.'],
  },
  emailRestored: {
    subject: 'A címváltoztatást visszavonták',
    before: [
      'A korábbi e-mail-cím tulajdonosa visszavonta az erre a címre történt változtatást. A Fieldroom-fióknak ismét a korábbi címe van, és minden eszközt kijelentkeztettünk.',
      'Ha ez meglepi, és a korábbi cím az Öné, kérjük, adjon meg ott új jelszót:',
    ],
    button: 'Új jelszó megadása',
    after: ['Erre a címre nem küldünk több e-mailt a fiókról.'],
  },
  passwordChanged: {
    subject: 'A jelszava megváltozott',
    before: [
      'A Fieldroom-fiókjának jelszavát az imént megváltoztatták a profilban. Minden más eszközt kijelentkeztettünk.',
      'Ha nem Ön tette, kérjük, azonnal adjon meg új jelszót:',
    ],
    button: 'Új jelszó megadása',
    after: ['Ha Ön tette, nincs további teendője.'],
  },
  deletionAsked: {
    subject: 'A fiókját törölni fogjuk',
    before: [
      'Ön a Fieldroom-fiókja törlését kérte. A törlés napja: {day}. Addig a nyilvános oldala zárva van, minden más marad, ahogy van.',
      'Ha meggondolta magát, vagy ha nem Ön kérte, jelentkezzen be e nap előtt, és tartsa meg a fiókot:',
    ],
    button: 'Bejelentkezés',
    after: ['Ezután az adatai nem hozhatók vissza. Csak a számlákat őrizzük meg, ameddig a törvény előírja.'],
  },
  deletionTakenBack: {
    subject: 'A fiókja megmarad',
    before: [
      'A Fieldroom-fiókja törlését visszavonták. A nyilvános oldala ismét nyitva van, és minden olyan, mint előtte.',
    ],
    button: 'Bejelentkezés',
    after: ['Ha nem Ön tette, kérjük, adjon meg új jelszót.'],
  },
  deleted: {
    subject: 'A fiókját töröltük',
    before: [
      'Töröltük a Fieldroom-fiókját mindennel együtt, ami hozzá tartozott. Csak a számlákat őrizzük meg, ameddig a törvény előírja.',
      'Köszönjük a velünk töltött időt. Bármikor szívesen látjuk újra:',
    ],
    button: 'Új regisztráció',
    after: ['Ez az utolsó e-mailünk erről a fiókról.'],
  },
};

const RO: Readonly<Record<ProfileEmail, EmailWords>> = {
  confirmEmail: {
    subject: 'Vă rugăm să confirmați noua adresă de e-mail',
    before: [
      'Doriți să folosiți această adresă de e-mail pentru contul dumneavoastră Fieldroom.',
      'Vă rugăm să confirmați că vă aparține. De atunci vă autentificați cu ea, iar e-mailurile noastre vin aici.',
    ],
    button: 'Folosesc această adresă',
    after: [
      'Linkul poate fi folosit o singură dată și este valabil {hours} de ore. Până atunci totul rămâne neschimbat.',
      'Dacă nu ați fost dumneavoastră, nu trebuie să faceți nimic.',
    ],
  },
  emailTaken: {
    subject: 'Această adresă are deja un cont',
    before: [
      'Cineva, cel mai probabil dumneavoastră, a cerut ca această adresă de e-mail să fie folosită pentru alt cont Fieldroom. Adresa aparține deja unui cont, așa că nu s-a schimbat nimic.',
      'Vă puteți autentifica în contul acestei adrese ca de obicei:',
    ],
    button: 'Autentificare',
    after: ['Dacă nu ați fost dumneavoastră, nu trebuie să faceți nimic.'],
  },
  emailAsked: {
    subject: 'S-a cerut o nouă adresă de e-mail',
    before: [
      'Pentru contul dumneavoastră Fieldroom s-a cerut altă adresă de e-mail. Ea este valabilă de îndată ce se deschide linkul din e-mailul trimis la noua adresă.',
      'Dacă nu ați fost dumneavoastră, cineva vă cunoaște parola. Vă rugăm să stabiliți acum una nouă; aceasta oprește și schimbarea:',
    ],
    button: 'Stabiliți o parolă nouă',
    after: ['Dacă ați fost dumneavoastră, nu trebuie să faceți nimic aici.'],
  },
  emailChanged: {
    subject: 'Adresa dumneavoastră de e-mail a fost schimbată',
    before: [
      'Contul dumneavoastră Fieldroom are acum altă adresă de e-mail. Toate celelalte dispozitive au fost deconectate.',
      'Dacă nu ați fost dumneavoastră, puteți anula schimbarea în termen de {days} zile. Toate dispozitivele vor fi deconectate, iar dumneavoastră veți alege o parolă nouă:',
    ],
    button: 'Anulați schimbarea',
    after: [
      'Dacă ați fost dumneavoastră, nu trebuie să faceți nimic. La această adresă nu mai vin e-mailuri despre cont.',
    ],
  },
  emailRestored: {
    subject: 'Schimbarea adresei a fost anulată',
    before: [
      'Persoana căreia îi aparține vechea adresă de e-mail a anulat schimbarea la aceasta. Contul Fieldroom are din nou vechea adresă, iar toate dispozitivele au fost deconectate.',
      'Dacă acest lucru vă surprinde și vechea adresă vă aparține, vă rugăm să stabiliți cu ea o parolă nouă:',
    ],
    button: 'Stabiliți o parolă nouă',
    after: ['La această adresă nu mai vin e-mailuri despre cont.'],
  },
  passwordChanged: {
    subject: 'Parola dumneavoastră a fost schimbată',
    before: [
      'Parola contului dumneavoastră Fieldroom tocmai a fost schimbată din profil. Toate celelalte dispozitive au fost deconectate.',
      'Dacă nu ați fost dumneavoastră, vă rugăm să stabiliți imediat o parolă nouă:',
    ],
    button: 'Stabiliți o parolă nouă',
    after: ['Dacă ați fost dumneavoastră, nu mai trebuie să faceți nimic.'],
  },
  deletionAsked: {
    subject: 'Contul dumneavoastră va fi șters',
    before: [
      'Ne-ați cerut să ștergem contul dumneavoastră Fieldroom. O vom face pe {day}. Până atunci pagina publică este închisă, iar restul rămâne neschimbat.',
      'Dacă v-ați răzgândit sau dacă nu ați fost dumneavoastră, autentificați-vă înainte de această zi și păstrați contul:',
    ],
    button: 'Autentificare',
    after: ['După această zi datele nu mai pot fi recuperate. Păstrăm doar facturile, cât timp o cere legea.'],
  },
  deletionTakenBack: {
    subject: 'Contul dumneavoastră rămâne',
    before: [
      'Ștergerea contului dumneavoastră Fieldroom a fost anulată. Pagina publică este din nou deschisă și totul este ca înainte.',
    ],
    button: 'Autentificare',
    after: ['Dacă nu ați fost dumneavoastră, vă rugăm să stabiliți o parolă nouă.'],
  },
  deleted: {
    subject: 'Contul dumneavoastră a fost șters',
    before: [
      'Am șters contul dumneavoastră Fieldroom cu tot ce îi aparținea. Păstrăm doar facturile, cât timp o cere legea.',
      'Vă mulțumim pentru timpul petrecut cu noi. Vă primim oricând cu drag înapoi:',
    ],
    button: 'Înregistrați-vă din nou',
    after: ['Acesta este ultimul nostru e-mail despre acest cont.'],
  },
};

export const WORDS: Readonly<Record<Language, Readonly<Record<ProfileEmail, EmailWords>>>> = {
  en: EN,
  de: DE,
  hu: HU,
  ro: RO,
};
