/**
 * The email about the fourth hour of the trial, in the four languages: what was reached, what happens at the fifth
 * hour, what stays, and what to do. The subject is neutral.
 */
import type { Language } from '@fieldroom/contract/text';
import type { EmailWords } from '../../../emails/emails.ts';

export const WORDS: Readonly<Record<Language, EmailWords>> = {
  en: {
    subject: 'You’ve used four of your five free hours',
    before: [
      'You’ve now spent four hours in your room on Fieldroom. Thank you for trying it out, and for the care you’ve put into that time.',
      'One free hour is left. When it’s used up, the room closes, and everyone in it sees a friendly goodbye. Nothing is lost: your figures, your events and your past sessions stay just as they are.',
      'To go on without a break, please complete your registration whenever it suits you. It takes a few minutes. From then on you pay only for the hours you really use, once a month; your free hours are never charged.',
    ],
    button: 'Complete the registration',
    after: [
      'If you have a question, or if something didn’t work as you’d hoped, just reply to this email. We’re glad to hear from you.',
    ],
  },
  de: {
    subject: 'Vier Ihrer fünf kostenlosen Stunden sind genutzt',
    before: [
      'Sie haben nun vier Stunden in Ihrem Raum bei Fieldroom verbracht. Vielen Dank, dass Sie es ausprobieren, und für die Sorgfalt, die Sie in diese Zeit gelegt haben.',
      'Eine kostenlose Stunde bleibt Ihnen noch. Wenn sie aufgebraucht ist, schließt der Raum, und alle, die darin sind, sehen eine freundliche Abschiedsseite. Dabei geht nichts verloren: Ihre Figuren, Ihre Veranstaltungen und Ihre bisherigen Sitzungen bleiben, wie sie sind.',
      'Damit Sie ohne Unterbrechung weitermachen können, schließen Sie bitte Ihre Registrierung ab, sobald es Ihnen passt. Das dauert wenige Minuten. Von da an bezahlen Sie einmal im Monat nur die Stunden, die Sie wirklich nutzen; Ihre kostenlosen Stunden werden nie berechnet.',
    ],
    button: 'Registrierung abschließen',
    after: [
      'Wenn Sie eine Frage haben oder etwas nicht so war, wie Sie es sich gewünscht haben, antworten Sie einfach auf diese E-Mail. Wir freuen uns, von Ihnen zu hören.',
    ],
  },
  hu: {
    subject: 'Öt ingyenes órájából négyet már felhasznált',
    before: [
      'Ön immár négy órát töltött a saját termében a Fieldroomban. Köszönjük, hogy kipróbálja, és köszönjük a figyelmet, amelyet erre az időre szánt.',
      'Még egy ingyenes órája maradt. Amikor ez is letelik, a terem bezárul, és aki éppen bent van, barátságos búcsúoldalt lát. Semmi sem vész el: a figurái, az eseményei és a korábbi ülései pontosan úgy maradnak, ahogy vannak.',
      'Ha megszakítás nélkül szeretné folytatni, kérjük, véglegesítse a regisztrációját, amikor Önnek megfelel. Néhány percet vesz igénybe. Ettől kezdve havonta egyszer, csak a valóban felhasznált órákért fizet; az ingyenes órákért soha.',
    ],
    button: 'A regisztráció véglegesítése',
    after: [
      'Ha kérdése van, vagy valami nem úgy működött, ahogyan remélte, válaszoljon bátran erre az e-mailre. Örömmel olvassuk.',
    ],
  },
  ro: {
    subject: 'Ați folosit patru dintre cele cinci ore gratuite',
    before: [
      'Ați petrecut deja patru ore în sala dumneavoastră din Fieldroom. Vă mulțumim că o încercați și pentru grija cu care ați folosit acest timp.',
      'V-a mai rămas o oră gratuită. Când se încheie și aceasta, sala se închide cu un rămas-bun prietenos pentru toți cei care se află în ea. Nu se pierde nimic: figurile, evenimentele și ședințele dumneavoastră de până acum rămân exact așa cum sunt.',
      'Ca să puteți continua fără întrerupere, vă rugăm să finalizați înregistrarea când vă este la îndemână. Durează câteva minute. De atunci plătiți, o dată pe lună, numai orele pe care le folosiți cu adevărat; orele gratuite nu se facturează niciodată.',
    ],
    button: 'Finalizați înregistrarea',
    after: [
      'Dacă aveți o întrebare sau dacă ceva nu a mers așa cum ați sperat, răspundeți oricând la acest e-mail. Ne bucurăm să vă citim.',
    ],
  },
};
