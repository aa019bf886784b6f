/** The words of the email about a live session, in the four languages. It names no client. */
import type { Language } from '@fieldroom/contract/text';
import type { EmailWords } from '../../../emails/emails.ts';

interface SessionWords {
  readonly summary: EmailWords;
  readonly started: string;
  readonly ended: string;
  readonly running: string;
  readonly counted: string;
  duration(hours: number, minutes: number): string;
}

export const WORDS: Readonly<Record<Language, SessionWords>> = {
  en: {
    summary: {
      subject: 'A summary for you',
      before: ['Here are the times of a session. Sign in to see who was there and how the field looked at the end.'],
      button: 'Open the details',
      after: ['To protect confidentiality, this email contains no names.'],
    },
    started: 'Started',
    ended: 'Ended',
    running: 'still running',
    counted: 'Time counted',
    duration: (hours, minutes) => `${hours} h ${minutes} min`,
  },
  de: {
    summary: {
      subject: 'Eine Übersicht für Sie',
      before: [
        'hier sind die Zeiten einer Sitzung. Wer dabei war und wie das Feld am Ende aussah, sehen Sie nach der Anmeldung.',
      ],
      button: 'Einzelheiten öffnen',
      after: ['Aus Gründen der Vertraulichkeit stehen in dieser E-Mail keine Namen.'],
    },
    started: 'Beginn',
    ended: 'Ende',
    running: 'läuft noch',
    counted: 'Gezählte Zeit',
    duration: (hours, minutes) => `${hours} Std. ${minutes} Min.`,
  },
  hu: {
    summary: {
      subject: 'Összefoglaló Önnek',
      before: ['Íme egy ülés időpontjai. A résztvevőket és a mező utolsó állapotát bejelentkezés után tekintheti meg.'],
      button: 'Részletek megnyitása',
      after: ['A titoktartás miatt ez az e-mail nem tartalmaz neveket.'],
    },
    started: 'Kezdete',
    ended: 'Vége',
    running: 'még tart',
    counted: 'Mért idő',
    duration: (hours, minutes) => `${hours} óra ${minutes} perc`,
  },
  ro: {
    summary: {
      subject: 'Un rezumat pentru dumneavoastră',
      before: ['Iată orele unei ședințe. După autentificare vedeți cine a participat și cum arăta câmpul la sfârșit.'],
      button: 'Deschideți detaliile',
      after: ['Din motive de confidențialitate, acest e-mail nu conține nume.'],
    },
    started: 'Început',
    ended: 'Sfârșit',
    running: 'încă în desfășurare',
    counted: 'Timp contorizat',
    duration: (hours, minutes) => `${hours} h ${minutes} min`,
  },
};
