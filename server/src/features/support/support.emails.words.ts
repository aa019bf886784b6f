/**
 * The words around a message from the contact form and around feedback, in the four languages. The subject is neutral
 * and the same for every message; the email quotes what a stranger wrote as plain text.
 */
import type { Language } from '@fieldroom/contract/text';
import type { SupportTopic } from '@fieldroom/contract/usage';

export interface ContactWords {
  subject: string;
  /** To a therapist, through the form on their public page. */
  toTherapist: string;
  /** To the operator of the service. */
  toOperator: string;
  message: string;
  from: string;
  /** The sender typed the address; nobody has checked it. */
  answer: string;
  /** From a signed-in person, by subject. */
  subjects: Readonly<Record<SupportTopic, string>>;
  feedback: string;
  writer: string;
  answerFeedback: string;
}

export const WORDS: Readonly<Record<Language, ContactWords>> = {
  en: {
    subject: 'A message for you',
    toTherapist: 'Someone has written to you through the form on your public page.',
    toOperator: 'Someone has written to you through the contact form.',
    message: 'The message',
    from: 'Address given',
    answer:
      'If you reply to this email, your answer goes to the address above. It was typed into the form and hasn’t been checked.',
    subjects: {
      question: 'A question for you',
      problem: 'A problem is reported',
      bill: 'A question about a bill',
      feedback: 'Feedback for you',
    },
    feedback: 'Someone who is signed in has written to you.',
    writer: 'Written by',
    answerFeedback: 'If you reply to this email, your answer goes to the address above, which belongs to the account.',
  },
  de: {
    subject: 'Eine Nachricht für Sie',
    toTherapist: 'über das Formular auf Ihrer öffentlichen Seite hat Ihnen jemand geschrieben.',
    toOperator: 'über das Kontaktformular hat Ihnen jemand geschrieben.',
    message: 'Die Nachricht',
    from: 'Angegebene Adresse',
    answer:
      'Wenn Sie auf diese E-Mail antworten, geht Ihre Antwort an die oben genannte Adresse. Sie wurde im Formular eingegeben und nicht überprüft.',
    subjects: {
      question: 'Eine Frage an Sie',
      problem: 'Ein Problem wurde gemeldet',
      bill: 'Eine Frage zu einer Rechnung',
      feedback: 'Eine Rückmeldung für Sie',
    },
    feedback: 'eine angemeldete Person hat Ihnen geschrieben.',
    writer: 'Geschrieben von',
    answerFeedback:
      'Wenn Sie auf diese E-Mail antworten, geht Ihre Antwort an die oben genannte Adresse. Sie gehört zum Konto.',
  },
  hu: {
    subject: 'Üzenete érkezett',
    toTherapist: 'Nyilvános oldalának űrlapján keresztül üzenetet küldtek Önnek.',
    toOperator: 'A kapcsolatfelvételi űrlapon keresztül üzenetet küldtek Önnek.',
    message: 'Az üzenet',
    from: 'A megadott cím',
    answer:
      'Ha válaszol erre az e-mailre, válasza a fenti címre érkezik. A címet az űrlapon adták meg, és nem ellenőriztük.',
    subjects: {
      question: 'Kérdése érkezett',
      problem: 'Hibát jelentettek',
      bill: 'Számlával kapcsolatos kérdés',
      feedback: 'Visszajelzése érkezett',
    },
    feedback: 'Egy bejelentkezett személy írt Önnek.',
    writer: 'Írta',
    answerFeedback: 'Ha válaszol erre az e-mailre, válasza a fenti címre érkezik, amely a fiókhoz tartozik.',
  },
  ro: {
    subject: 'Un mesaj pentru dumneavoastră',
    toTherapist: 'Cineva v-a scris prin formularul de pe pagina dumneavoastră publică.',
    toOperator: 'Cineva v-a scris prin formularul de contact.',
    message: 'Mesajul',
    from: 'Adresa indicată',
    answer:
      'Dacă răspundeți la acest e-mail, răspunsul ajunge la adresa de mai sus. Adresa a fost introdusă în formular și nu a fost verificată.',
    subjects: {
      question: 'O întrebare pentru dumneavoastră',
      problem: 'A fost semnalată o problemă',
      bill: 'O întrebare despre o factură',
      feedback: 'O părere pentru dumneavoastră',
    },
    feedback: 'O persoană autentificată v-a scris.',
    writer: 'Scris de',
    answerFeedback: 'Dacă răspundeți la acest e-mail, răspunsul ajunge la adresa de mai sus, care aparține contului.',
  },
};
