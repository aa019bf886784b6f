/** The words of the email that brings a bill, in the four languages. Braces are filled in. */
import type { Language } from '@fieldroom/contract/text';
import type { EmailWords } from '../../../emails/emails.ts';

export interface BillEmailWords extends EmailWords {
  readonly number: string;
  readonly month: string;
  readonly amount: string;
  readonly due: string;
  readonly bank: string;
}

export const WORDS: Readonly<Record<Language, BillEmailWords>> = {
  en: {
    subject: 'Your monthly bill',
    before: ['Attached is your bill for {month}. Please transfer {amount} by {due} and quote the number {number}.'],
    button: 'See all bills',
    after: ['If you have a question about this bill, please write to {email}. We are happy to help.'],
    number: 'Bill',
    month: 'Month',
    amount: 'Amount',
    due: 'Due by',
    bank: 'Bank details',
  },
  de: {
    subject: 'Ihre Monatsrechnung',
    before: [
      'im Anhang finden Sie Ihre Rechnung für {month}. Bitte überweisen Sie {amount} bis {due} und geben Sie dabei die Nummer {number} an.',
    ],
    button: 'Alle Rechnungen ansehen',
    after: ['Wenn Sie eine Frage zu dieser Rechnung haben, schreiben Sie bitte an {email}. Wir helfen Ihnen gern.'],
    number: 'Rechnung',
    month: 'Monat',
    amount: 'Betrag',
    due: 'Zahlbar bis',
    bank: 'Bankverbindung',
  },
  hu: {
    subject: 'Havi számlája',
    before: [
      'Mellékelten küldjük a számláját. Hónap: {month}. Kérjük, utalja át az összeget ({amount}), és a közleményben adja meg a számla sorszámát: {number}. Fizetési határidő: {due}.',
    ],
    button: 'Az összes számla',
    after: ['Ha kérdése van a számlával kapcsolatban, kérjük, írjon a következő címre: {email}. Szívesen segítünk.'],
    number: 'Számla',
    month: 'Hónap',
    amount: 'Összeg',
    due: 'Fizetési határidő',
    bank: 'Bankszámla',
  },
  ro: {
    subject: 'Factura dumneavoastră lunară',
    before: [
      'Atașată găsiți factura dumneavoastră pentru {month}. Vă rugăm să virați {amount} până la {due} și să menționați numărul {number}.',
    ],
    button: 'Vedeți toate facturile',
    after: ['Dacă aveți o întrebare despre această factură, vă rugăm să scrieți la {email}. Vă ajutăm cu plăcere.'],
    number: 'Factură',
    month: 'Luna',
    amount: 'Sumă',
    due: 'Scadentă la',
    bank: 'Cont bancar',
  },
};
